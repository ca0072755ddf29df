// Generates docs/library-reference.md, or the file given as an argument, from the types that the package exports. Prints
// the exports, methods and options that lack a docstring. Run by `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const pathOf = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const [, , file = pathOf('docs/library-reference.md')] = process.argv;

/**
 * The entry points of package.json with the sources that they are built from. Users name `billing-sim/jest` in the
 * configuration of Jest, and import nothing from it.
 */
const { exports: entryPoints } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
const modules = Object.entries(entryPoints)
  .filter(([path, target]) => target.types !== undefined && path !== './jest')
  .map(([path, target]) => ({
    name: `billing-sim${path.slice(1)}`,
    source: pathOf(target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')),
  }));

const { options } = ts.convertCompilerOptionsFromJson(
  ts.readConfigFile(pathOf('tsconfig.json'), ts.sys.readFile).config.compilerOptions,
  pathOf(''),
);
const host = ts.createCompilerHost(options, true);
// Parsing takes most of the time, so only files of `src` that can contribute to an exported type are read.
host.resolveModuleNameLiterals = (literals, importer, _redirected, _options, file) => {
  const namesOutsideBodies = new Set(identifiersOutsideBodies(file));
  return literals.map(({ text, parent }) => {
    const isNeeded =
      text.startsWith('.') &&
      (ts.isExportDeclaration(parent) || importedNames(parent).some((name) => namesOutsideBodies.has(name)));
    const resolvedFileName = join(dirname(importer), text.replace(/\.js$/, '.ts'));
    return { resolvedModule: isNeeded ? { resolvedFileName, extension: ts.Extension.Ts } : undefined };
  });
};
const program = ts.createProgram(
  modules.map(({ source }) => source),
  { ...options, types: [] },
  host,
);
const checker = program.getTypeChecker();

/** Lists the identifiers of a file, except those in its imports and in the bodies of functions. */
function identifiersOutsideBodies(node) {
  if (ts.isImportDeclaration(node) || ts.isBlock(node)) return [];
  if (ts.isIdentifier(node)) return [node.text];
  const identifiers = [];
  ts.forEachChild(node, (child) => void identifiers.push(...identifiersOutsideBodies(child)));
  return identifiers;
}

function importedNames({ importClause }) {
  const { name, namedBindings } = importClause ?? {};
  const bindings = namedBindings && (ts.isNamespaceImport(namedBindings) ? [namedBindings] : namedBindings.elements);
  return [...(name ? [name] : []), ...(bindings ?? []).map((binding) => binding.name)].map(({ text }) => text);
}

const undocumented = [];

/**
 * Parses a symbol's docstring: text, parameters, return value and errors. If a required text is missing, adds `name` to
 * `undocumented`.
 */
function docsOf(symbol, { name, isTextRequired }) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (text === '' && isTextRequired) undocumented.push(name);
  const tags = symbol.getJsDocTags(checker).map((tag) => ({
    name: tag.name,
    text: ts.displayPartsToString(tag.text).trim(),
  }));
  const textsOf = (tagName) => tags.filter((tag) => tag.name === tagName).map((tag) => tag.text);
  return { text, parameters: textsOf('param'), returns: textsOf('returns'), errors: textsOf('throws') };
}

/** Formats a docstring as Markdown; lines indented by four spaces are code. */
function paragraphsOf({ text, parameters, returns, errors }) {
  const withFences = text.replace(/(?:^ {4}.*\n?(?:\n(?= {4}))*)+/gm, (code) => {
    const lines = code.trimEnd().replace(/^ {4}/gm, '');
    return `\`\`\`ts\n${lines}\n\`\`\`\n`;
  });
  return [
    ...(withFences === '' ? [] : [withFences.trim()]),
    ...parameters.map((parameter) => `Parameter \`${parameter.replace(' ', '`: ')}.`),
    ...returns.map((value) => `Returns ${value}.`),
    ...errors.map((error) => `Throws: ${error}.`),
  ];
}

const inline = (text) => text.replace(/\s+/g, ' ').trim();
const cell = (text) => inline(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
const code = (text) => `\`${inline(text).replaceAll('|', '\\|')}\``;

/** Types that signatures mention, with their declarations. They are described at the end of the page. */
const mentioned = new Map();

/** Returns the source text of a type, and records the types that it mentions. */
function typeText(node) {
  if (node === undefined) return 'void';
  const visit = (part) => {
    if (ts.isTypeReferenceNode(part) || ts.isExpressionWithTypeArguments(part)) {
      recordMention(checker.getSymbolAtLocation(part.typeName ?? part.expression));
    }
    ts.forEachChild(part, visit);
  };
  // Types in `simulation/state` are the contents of snapshots. Users save and restore those without reading them, so
  // what these types mention is not described.
  if (!isDeclaredInState(node)) visit(node);
  // `typeof` a function or a constant tells the reader nothing, so the type is written out.
  if (node.getText().includes('typeof ')) {
    return checker.typeToString(checker.getTypeFromTypeNode(node), undefined, ts.TypeFormatFlags.NoTruncation);
  }
  return withoutReadonly(node.getText());
}

const isDeclaredInState = (node) => node.getSourceFile().fileName.includes('/simulation/state/');

/** Removes `readonly`: the page says once that all properties are read-only. */
const withoutReadonly = (text) => text.replace(/\breadonly (?=\w+\??:)/g, '');

/** Returns the symbol that an alias, such as an import, stands for. */
function resolveAlias(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function recordMention(symbolOrAlias) {
  if (symbolOrAlias === undefined) return;
  const symbol = resolveAlias(symbolOrAlias);
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined || ts.isTypeParameterDeclaration(declaration)) return;
  const { fileName } = declaration.getSourceFile();
  if (fileName.startsWith(pathOf('src')) && !fileName.endsWith('.d.ts')) mentioned.set(symbol, declaration);
}

const signatureOf = (name, { parameters, type }) =>
  `${name}(${parameters
    .map((parameter) => {
      const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
      return `${parameter.name.getText()}${isOptional ? '?' : ''}: ${typeText(parameter.type)}`;
    })
    .join(', ')}): ${typeText(type)}`;

/**
 * Makes a table row for each member of an object type. A nested object has a row for each of its members instead, with
 * the path to the object as `prefix` of their names. `owner` is the name of the outermost type; `isExported` is true if
 * the package exports that type.
 */
function rowsOf(members, { owner, isExported, prefix = '' }) {
  return members.flatMap((member) => {
    const name = `${prefix}${member.name.getText()}`;
    const { type } = member;
    const symbol = checker.getSymbolAtLocation(member.name);
    const optional = member.questionToken === undefined ? '' : '?';
    const isNested = ts.isPropertySignature(member) && ts.isTypeLiteralNode(type);
    if (isNested && type.members.every((inner) => inner.name !== undefined)) {
      return rowsOf(type.members, { owner, isExported, prefix: `${name}${optional}.` });
    }
    const isMethod = ts.isMethodSignature(member) || ts.isFunctionTypeNode(type);
    const signature = ts.isMethodSignature(member)
      ? signatureOf(`${name}${optional}`, member)
      : `${name}${optional}: ${typeText(type)}`;
    const isTextRequired = isExported && (isMethod || owner.endsWith('Options'));
    const docs = docsOf(symbol, { name: `${owner}.${name}`, isTextRequired });
    const text = inline(paragraphsOf(docs).join(' '));
    return [{ isMethod, row: `| ${code(signature)} | ${cell(text)} |` }];
  });
}

const tableOf = (rows) =>
  ['Properties', 'Methods'].flatMap((heading) => {
    const ofKind = rows.filter(({ isMethod }) => isMethod === (heading === 'Methods')).map(({ row }) => row);
    return ofKind.length === 0 ? [] : [`| ${heading} | |\n| --- | --- |\n${ofKind.join('\n')}`];
  });

const typescript = (text) => `\`\`\`ts\n${text}\n\`\`\``;

/** Formats a type on one line, or a long union with one member per line. */
function unionText(text) {
  const oneLine = inline(text).replace(/^\| /, '');
  if (oneLine.length < 100 || !text.includes('|')) return ` ${oneLine}`;
  // `getText()` leaves out the indentation of the first line.
  return text.includes('\n') ? `\n  ${text}` : `\n  | ${text.split(' | ').join('\n  | ')}`;
}

const generatedFrom = {
  'billing-types.ts': '[openapi/billing.yaml](../openapi/billing.yaml)',
  'control-validated-types.ts': '[openapi/control.yaml](../openapi/control.yaml)',
  'config-types.ts': '[openapi/config.schema.json](../openapi/config.schema.json)',
};

/**
 * Returns a sentence that says from which document a type, or the type that it is an alias of, is generated; undefined
 * for other types.
 */
function originOf(declaration) {
  const generated = Object.entries(generatedFrom).find(([name]) => declaration.getSourceFile().fileName.endsWith(name));
  if (generated !== undefined) return `Types of the operations, generated by openapi-typescript from ${generated[1]}.`;
  const { type } = declaration;
  if (type === undefined || !ts.isIndexedAccessTypeNode(type)) return undefined;
  const [, schema] = /\['schemas'\]\['(\w+)'\]$/.exec(type.getText()) ?? [];
  if (schema === undefined) return undefined;
  let root = type;
  while (ts.isIndexedAccessTypeNode(root)) root = root.objectType;
  const source = resolveAlias(checker.getSymbolAtLocation(root.typeName)).declarations[0].getSourceFile().fileName;
  const [, document] = Object.entries(generatedFrom).find(([name]) => source.endsWith(name));
  return `The schema \`${schema}\` of ${document}.`;
}

function bodyOf(symbol, declaration, { isExported }) {
  const name = symbol.name;
  const origin = originOf(declaration);
  if (origin !== undefined) return [origin];
  if (ts.isFunctionDeclaration(declaration)) return [typescript(`function ${signatureOf(name, declaration)}`)];
  if (ts.isVariableDeclaration(declaration)) return [typescript(`const ${name}: ${typeText(declaration.type)}`)];
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) {
    const parents = (declaration.heritageClauses ?? []).flatMap(({ types }) => types);
    return [
      ...(parents.length === 0 ? [] : [`Extends ${parents.map((parent) => code(typeText(parent))).join(', ')}.`]),
      ...tableOf(
        rowsOf(
          // Leaves out constructors, and the property `name` of error classes, which has no declared type.
          declaration.members.filter((member) => member.name !== undefined && member.type !== undefined),
          { owner: name, isExported },
        ),
      ),
      ...declaration.members.filter(ts.isIndexSignatureDeclaration).map(
        (member) =>
          `And ${code(
            withoutReadonly(member.getText())
              .replace(/^readonly /, '')
              .replace(/;$/, ''),
          )}.`,
      ),
    ];
  }
  const { type } = declaration;
  if (ts.isTypeLiteralNode(type)) return tableOf(rowsOf(type.members, { owner: name, isExported }));
  return [typescript(`type ${name} =${unionText(typeText(type))}`)];
}

/** Lists type parameters with their constraints and defaults. */
const typeParametersOf = ({ typeParameters }) =>
  typeParameters === undefined || typeParameters.length === 0
    ? ''
    : ` with ${typeParameters.map((parameter) => code(parameter.getText())).join(', ')}`;

/** Describes an exported symbol, or a type that is only mentioned. */
function section(symbol, { isExported }) {
  const [declaration] = symbol.declarations;
  const isFunction = ts.isFunctionDeclaration(declaration);
  const isTextRequired = isExported && !declaration.getSourceFile().fileName.includes('/generated/');
  const docs = docsOf(symbol, { name: symbol.name, isTextRequired });
  const generics = isFunction ? '' : typeParametersOf(declaration);
  return [
    `### ${symbol.name}${isFunction ? '()' : ''}`,
    ...(generics === '' ? [] : [`A generic type${generics}.`]),
    ...(isFunction ? bodyOf(symbol, declaration, { isExported }) : []),
    ...paragraphsOf(docs),
    ...(isFunction ? [] : bodyOf(symbol, declaration, { isExported })),
  ];
}

const describedSymbols = new Set();
const moduleSections = modules.flatMap(({ name, source }) => {
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(source)))
    .map(resolveAlias);
  const isValue = (symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;
  // Values come before types. A symbol that two entry points export is described once.
  const ordered = [...exported.filter(isValue), ...exported.filter((symbol) => !isValue(symbol))];
  const sections = ordered
    .filter((symbol) => !describedSymbols.has(symbol))
    .flatMap((symbol) => {
      describedSymbols.add(symbol);
      return section(symbol, { isExported: true });
    });
  return [`## ${name}`, ...sections];
});

const otherSections = [];
// Describing a type may add further ones to `mentioned`, which this loop then reaches, too.
for (const [symbol, declaration] of mentioned) {
  if (describedSymbols.has(symbol)) continue;
  const isGenerated = declaration.getSourceFile().fileName.includes('/generated/');
  if (!isGenerated) otherSections.push(section(symbol, { isExported: false }));
}
otherSections.sort(([a], [b]) => (a < b ? -1 : 1));

writeFileSync(
  file,
  `${[
    '# Library reference',
    'Everything that the package exports, with the types that these refer to. [Library](library.md) shows how to use it; [test frameworks](test-frameworks.md) shows the fixtures for vitest, Playwright and node:test.',
    'This page is generated from the types: run `npm run docs` after changing one. All properties are read-only.',
    ...moduleSections,
    '## Referenced types',
    'These types are not exported by name.',
    ...otherSections.flat(),
  ].join('\n\n')}\n`,
);
for (const name of undocumented) console.log(name);
