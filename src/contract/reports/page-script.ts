/** The script of the page: shows the filters, which do nothing without it, and hides what they do not let through. */
export const pageScript = `
const form = document.querySelector('form');
const clauses = [...document.querySelectorAll('.clause')].map((element) => ({
  element,
  text: (element.querySelector('summary').textContent + ' ' + element.querySelector('.detail').textContent).toLowerCase(),
}));
const sections = [...document.querySelectorAll('main > section')];
const shown = document.querySelector('output');
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
      (section === '' || dataset.section === section) &&
      words.every((word) => text.includes(word))
    );
    if (!element.hidden) count += 1;
  }
  for (const one of sections) one.hidden = !one.querySelector('.clause:not([hidden])');
  shown.textContent = count + ' of ' + clauses.length + ' clauses';
}
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.hidden = false;
filter();
`;
