/**
 * Style sheet of a trace, the page that shows what happened in an account. It loads no fonts or images, since the page
 * must work offline.
 */
export const traceStyle = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #ffffff; --text: #1f2937; --soft: #4b5563; --line: #d1d5db; --bad: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --page: #111827; --card: #1f2937; --text: #e5e7eb; --soft: #9ca3af; --line: #4b5563; --bad: #fca5a5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere; font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 1100px; margin: 0 auto; padding: 16px; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0; font-size: 1.0625rem; }
section { margin: 0 0 16px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
p { margin: 4px 0; }
ol { margin: 8px 0 0; padding: 0; list-style: none; }
li { margin: 8px 0 0; padding: 8px 0 0; border-top: 1px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 8px 0; }
dt, time, .soft { color: var(--soft); }
dd { margin: 0; }
.bad { color: var(--bad); }
summary { cursor: pointer; }
pre { margin: 4px 0; white-space: pre-wrap; font: 0.875rem/1.4 ui-monospace, monospace; }
@media (max-width: 480px) { dl { grid-template-columns: 1fr; } }
`;
