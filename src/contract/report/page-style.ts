/** Style sheet of the report page. It loads no fonts or images. */
export const pageStyle = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #ffffff; --text: #1f2937; --soft: #4b5563; --line: #d1d5db;
  --good: #166534; --bad: #b91c1c; --warn: #92400e; --calm: #1d4ed8; --code: #f3f4f6; }
@media (prefers-color-scheme: dark) {
  :root { --page: #111827; --card: #1f2937; --text: #e5e7eb; --soft: #9ca3af; --line: #4b5563;
    --good: #86efac; --bad: #fca5a5; --warn: #fcd34d; --calm: #93c5fd; --code: #111827; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
header, main { max-width: 1100px; margin: 0 auto; padding: 16px; }
h1 { margin: 0 0 4px; font-size: 1.5rem; }
h2 { margin: 24px 0 8px; font-size: 1.125rem; }
p { margin: 0 0 8px; }
blockquote { margin: 0 0 8px; padding-left: 12px; border-left: 3px solid var(--line); color: var(--soft); }
a { color: var(--calm); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 12px 0; }
dt { color: var(--soft); }
dd { margin: 0; }
table { width: 100%; margin: 0 0 16px; border-collapse: collapse; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 400; white-space: nowrap; }
td:first-child { text-align: right; }
meter { width: 100%; height: 12px; }
.verdict { font-size: 1.125rem; font-weight: 600; }
.problems { margin: 8px 0 12px; padding-left: 20px; }
.good, .passed { color: var(--good); }
.bad, .failed, .broken { color: var(--bad); }
.warned, .waived { color: var(--warn); }
.skipped { color: var(--soft); }
.observed { color: var(--calm); }
.notes { margin: 12px 0; padding: 8px 16px; border-left: 4px solid var(--warn); background: var(--card); }
.notes ul { margin: 4px 0; padding-left: 20px; }
form { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end;
  padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.section { margin: 16px 0; }
.section > summary { margin: 0 0 8px; cursor: pointer; }
.section > summary > h2 { display: inline; }
.section > summary > small { margin-left: 4px; color: var(--soft); font-size: 0.9375rem; }
form[hidden] { display: none; }
fieldset { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 0; padding: 0; border: 0; }
legend { padding: 0; color: var(--soft); font-size: 0.875rem; }
fieldset > label { line-height: 2rem; }
form > label { display: grid; color: var(--soft); font-size: 0.875rem; }
select, input[type=search] { max-width: 15rem; height: 2rem; padding: 4px 8px; border: 1px solid var(--soft); border-radius: 6px;
  background: var(--page); color: var(--text); font: inherit; }
.section > details { margin: 0 0 4px; scroll-margin-top: 8.125rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.section > details > summary { display: grid; grid-template-columns: 5.25rem 9.375rem 1fr max-content; gap: 4px 12px; padding: 8px 12px;
  cursor: pointer; }
.section > details > summary::after { content: "+"; grid-area: 1 / -2; color: var(--soft); }
.section > details[open] > summary::after { content: "−"; }
details[hidden] { display: none; }
.section > details > summary > b { font-weight: 600; }
.section > details > summary > code { color: var(--soft); font: 0.875rem/1.7 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.section > details > div { padding: 4px 12px 12px; }
.exchange { margin: 6px 0; border-top: 1px solid var(--line); padding-top: 6px; }
.exchange > summary { cursor: pointer; }
pre { margin: 6px 0; padding: 8px; border-radius: 6px; background: var(--code); white-space: pre-wrap;
  overflow-wrap: anywhere; font: 0.8125rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
@media print { form { display: none; } }
@media (max-width: 600px) {
  header, main { padding: 12px; }
  form { position: static; }
  select, input[type=search] { max-width: 100%; }
  .section > details { scroll-margin-top: 8px; }
  .section > details > summary { grid-template-columns: max-content 1fr max-content; }
  .section > details > summary > span { grid-column: 1 / -1; }
  dl { grid-template-columns: 1fr; }
  dd { margin: 0 0 6px; }
}
`;
