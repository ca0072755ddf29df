import type { GuestTexts } from './guest-texts.js';

// French sets a no-break space before a colon (U+00A0), and a narrow one before ; ! and ? (U+202F).

export const french: GuestTexts = {
  lang: 'fr',
  dateLocale: 'fr',
  footer: 'Une page de billing-sim, un simulateur. Aucun paiement réel n’est effectué.',

  pay: (amount) => `Payer ${amount}`,
  payWithoutCard: (amount) => `Payer ${amount} sans carte`,
  amountFor: (amount, purpose) => `${amount} pour ${purpose}`,
  paymentTo: 'Bénéficiaire',
  byCard: 'Par carte',
  otherMethods: 'Autres moyens de paiement',
  method: 'Moyen de paiement',
  outcome: 'Résultat',
  methods: { card: 'Carte', sepa_debit: 'Prélèvement SEPA', bank_transfer: 'Virement bancaire' },
  outcomes: {
    paid: 'Paiement immédiat',
    declined: 'Paiement refusé',
    authentication: 'La banque demande une validation',
    'pays-later': 'En attente, puis paiement effectué',
    'fails-later': 'En attente, puis échec',
  },

  invoice: (number) => `Facture ${number}`,
  due: 'Échéance',
  amount: 'Montant',
  alreadyPaid: 'Déjà réglé',
  items: 'Détail de la facture',
  item: 'Désignation',
  total: 'Total',
  moreItems: (count) => `Et ${count} ${count === 1 ? 'autre ligne' : 'autres lignes'}.`,

  cardNumber: 'Numéro de carte',
  testCards: 'Cartes de test. Toute autre carte est refusée. Ne saisissez jamais le numéro d’une vraie carte.',
  testCardHint: 'Cliquez sur un numéro pour le saisir automatiquement.',
  testCardNumber: 'Numéro',
  invalidCard: {
    length: 'Un numéro de carte comporte 12 à 19 chiffres.',
    'check-digit': 'Ce numéro de carte n’est pas valide\u00a0: un chiffre est erroné.',
  },
  enterNumberAgain: 'Veuillez saisir à nouveau le numéro.',
  unknownCard: 'Votre carte a été refusée\u00a0: ce n’est pas une carte de test.',
  unknownHoldCard: 'Votre carte a été refusée\u00a0: ce n’est pas une carte de test pour les cautions.',
  declinedCard: 'Votre carte a été refusée. Veuillez en essayer une autre.',

  challengeTitle: 'Confirmez-vous cette opération\u202f?',
  challengeText:
    'Avec une vraie carte, votre banque vous demanderait maintenant de valider l’opération suivante\u00a0:',
  approve: 'Valider',
  decline: 'Refuser',

  paymentTitles: {
    open: 'Paiement en cours',
    pending: 'Paiement en cours',
    paid: 'Paiement effectué',
    failed: 'Échec du paiement',
  },
  paymentSucceeded: 'Merci, nous avons bien reçu votre paiement.',
  paymentFailed: 'Le paiement a échoué. Aucun montant n’a été débité.',
  paymentPending: 'Nous n’avons pas encore reçu votre paiement.',
  outcomeKnownAt: 'Le résultat sera connu le',
  reloadNotice: 'D’ici là, cette page s’actualise automatiquement.',
  advanceClock: 'Avancer l’horloge',
  reference: 'Référence',
  paidAt: 'Payé le',
  payAgain: 'Payer à nouveau',
  tryAgain: 'Réessayer',
  alreadySent: 'Ce formulaire a déjà été envoyé. Rien n’a été débité en double.',
  amountChanged:
    'Le montant a changé depuis que vous avez ouvert cette page. Rien n’a été débité. Veuillez vérifier le nouveau montant.',

  thisPaymentLink: 'Ce lien de paiement',
  unpayable: {
    inactive: ['n’est plus actif', 'Veuillez en demander un nouveau à l’expéditeur.'],
    draft: ['pas encore émise', 'Vous pourrez la régler une fois qu’elle aura été émise.'],
    paid: ['déjà réglée', 'Vous n’avez plus rien à payer.'],
    cancelled: ['annulée', 'Vous n’avez rien à payer.'],
    'payment-in-progress': [
      'en cours de paiement',
      'Un paiement est déjà en cours. Vous ne pouvez pas en effectuer un autre.',
    ],
  },
  continue: 'Continuer',

  authorize: (amount) => `Autoriser le blocage de ${amount}`,
  holdExplanation: 'Le montant de la caution sera bloqué sur votre carte, sans être débité.',
  depositFor: 'Bénéficiaire',
  card: 'Carte',
  heldUntil: 'Bloquée jusqu’au',
  authorizeBefore: 'À autoriser avant le',
  holdOutcomes: {
    authorized: 'Autorisation immédiate',
    declined: 'Autorisation refusée',
    authentication: 'La banque demande une validation',
  },
  amountToHold: (amount, booking) =>
    booking === null ? `Blocage de ${amount}` : `Blocage de ${amount} pour ${booking}`,
  booking: 'Réservation',
  guest: 'Client',
  checkIn: 'Arrivée',
  checkOut: 'Départ',
  charged: 'Montant débité',
  hold: {
    authorized: (amount) => [
      `Montant bloqué sur votre carte\u00a0: ${amount}`,
      'Rien n’a été débité. Le blocage sera levé automatiquement.',
    ],
    partiallyCaptured: (captured) => [`Montant débité\u00a0: ${captured}`, 'Le solde reste bloqué sur votre carte.'],
    captured: (captured) => [`Montant débité\u00a0: ${captured}`, 'Plus rien n’est bloqué sur votre carte.'],
    released: 'La caution a été libérée',
    expired: 'Le blocage a expiré',
    linkExpired: ['Ce lien a expiré', 'Rien n’a été bloqué. Veuillez demander un nouveau lien à l’expéditeur.'],
    failed: ['Votre carte a été refusée', 'Rien n’est bloqué. Veuillez demander un nouveau lien à l’expéditeur.'],
    nothingCharged: 'Rien n’a été débité.',
    finalCharge: (captured) => `Montant débité\u00a0: ${captured}. Rien d’autre ne sera débité.`,
  },

  errors: {
    'account-not-found': ['Compte introuvable', 'Veuillez demander le bon lien à l’expéditeur.'],
    'deposit-not-found': ['Caution introuvable', 'Veuillez demander le bon lien à l’expéditeur.'],
    'payment-link-not-found': ['Lien de paiement introuvable', 'Veuillez demander le bon lien à l’expéditeur.'],
  },
};
