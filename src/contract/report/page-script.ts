/**
 * Script of the report page: filters the clauses, and expands the one that the URL's fragment names. It also shows the
 * filter form, which is hidden by default because it does nothing if the browser runs no scripts.
 */
export const pageScript = `
const form = document.querySelector('form');
const clauses = [...document.querySelectorAll('.section > details')].map((element) => ({
  element,
  text: (element.querySelector('summary').textContent + ' ' + (element.querySelector('.detail')?.textContent ?? '')).toLowerCase(),
}));
const sections = [...document.querySelectorAll('.section')];
const countText = document.querySelector('output');
function filter() {
  const statuses = new Set([...form.querySelectorAll('[name=status]:checked')].map(({ value }) => value));
  const level = form.elements.level.value;
  const section = form.elements.section.value;
  const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text } of clauses) {
    const { dataset } = element;
    element.hidden = !(
      statuses.has(dataset.status) &&
      (level === '' || dataset.level === level) &&
      (section === '' || element.parentElement.dataset.section === section) &&
      words.every((word) => text.includes(word))
    );
    if (!element.hidden) count += 1;
  }
  for (const element of sections) element.hidden = !element.querySelector('details[data-status]:not([hidden])');
  countText.textContent = count + ' of ' + clauses.length + ' clauses';
}
form.addEventListener('input', () => {
  filter();
  for (const element of sections) element.open = true;
});
form.addEventListener('submit', (event) => event.preventDefault());
function showTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (const element of [target, target.parentElement]) {
    element.hidden = false;
    element.open = true;
  }
  target.scrollIntoView();
}
addEventListener('hashchange', showTarget);
form.hidden = false;
filter();
showTarget();
`;
