// Each table has one owner, the module whose tables.ts defines it. Fails if a module writes a table of another one, in SQL or with the query
// builder, or if it cannot be determined which table a statement writes; and if a module reads a table of a later module that is not listed.
//
//   node scripts/check-tables.mjs           prints each place
//   node scripts/check-tables.mjs --reads   also counts the reads of other modules' tables, by pair of modules
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import ts from 'typescript'

/** Functions that write a table that their caller passes: their calls are checked instead of their SQL. By name, with the file. */
const WRITERS_OF_A_GIVEN_TABLE = {
  deleteInBatches: 'server/src/platform/db/delete-in-batches.ts',
  rewrapColumn: 'server/src/platform/crypto/rewrap-column.ts',
  deletedAfter: 'server/src/platform/db/retention.ts',
}

/**
 * The tables of later modules that a module reads, because one statement verifies or selects everything that depends on them: what a session
 * may do (members, sessions), and which members a setter or an editor has given access to (passwords, members, user-management).
 */
const READ_OF_LATER_MODULES = {
  members: ['adaptive_users', 'directories', 'factors', 'sessions', 'sso_providers'],
  sessions: ['consents', 'team_passwords'],
  passwords: ['api_tokens', 'directories', 'factors', 'import_runs', 'scim_tokens', 'sso_providers'],
  'user-management': ['directories', 'scim_tokens', 'sso_providers'],
}

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', 'server/src'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
})
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const moduleOf = (file) => /^server\/src\/(?:features\/)?([^/]+)/.exec(file)[1]
/** The modules in their order. */
const order = createRequire(import.meta.url)('../.dependency-cruiser.cjs').forbidden.flatMap(
  ({ name }) => /^(.+)-imports-earlier-modules$/.exec(name)?.[1] ?? [],
)

const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const owners = new Map()
const tableOfVariable = new Map()
for (const [file, source] of sources)
  for (const [, variable, table] of source.matchAll(/export const (\w+) = (?:pg|token)Table\(\s*'(\w+)'/g)) {
    owners.set(table, moduleOf(file))
    tableOfVariable.set(variable, table)
  }
/** The tables in an exported map of tables, by its name. */
const tablesInMap = new Map()
for (const source of sources.values())
  for (const [, name, value] of source.matchAll(/^export const ([A-Z_]+) = (\{.*?^\})/gms)) {
    const found = [...value.matchAll(/\b\w+\b(?!:)/g)].flatMap(([word]) => tableOfVariable.get(word) ?? [])
    if (found.length > 0) tablesInMap.set(name, [...new Set(found)])
  }

/** Stands for a part of a string that is not known here. */
const UNKNOWN = '?'
const NAME = /(?:ONLY\s+)?(?:public\.)?"?([\w?|]+)?/.source
const WRITE = new RegExp(
  `\\b(INSERT\\s+INTO|MERGE\\s+INTO|DELETE\\s+FROM|TRUNCATE(?:\\s+TABLE)?)(?:\\s+|$)${NAME}`,
  'gi',
)
const UPDATE = new RegExp(`(?<!\\bDO\\s+)\\bUPDATE\\s+${NAME}"?\\s*\\*?\\s*(?:AS\\s+)?(?:\\w+\\s+)?\\bSET\\b`, 'gi')
const READ = new RegExp(`\\b(?:FROM|JOIN|USING)\\s+(?:LATERAL\\s+)?${NAME}`, 'gi')
/** The methods of the query builder that write, with those that follow them. */
const BUILDER = { insert: /^(values|select)$/, update: /^set$/, delete: /^(where|returning)$/ }

const violations = []
const reads = new Map()
for (const [file, source] of sources)
  if (/\b(insert|update|delete|merge|truncate|select|exists|join)\b/i.test(source))
    checkFile(file, ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))

function checkFile(file, root) {
  const module = moduleOf(file)
  const tables = new Map()
  const imported = new Set()
  /** The expressions that a variable of the file can be. */
  const values = new Map()
  collect(root)
  visit(root)

  function collect(node) {
    if (ts.isImportSpecifier(node)) {
      const table = tableOfVariable.get((node.propertyName ?? node.name).text)
      if (table) tables.set(node.name.text, table)
      else imported.add(node.name.text)
    }
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const { name, initializer } = node
      if (file.endsWith('tables.ts') && tableOfVariable.has(name.text))
        tables.set(name.text, tableOfVariable.get(name.text))
      addValue(name, initializer)
    }
    // `for (const table of [a, b])`
    if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer))
      addValue(node.initializer.declarations[0].name, node.expression)
    ts.forEachChild(node, collect)
  }

  /** Adds the value of a name, or of each name of `const { table } = PAIRS[kind]`. */
  function addValue(name, value) {
    if (!ts.isIdentifier(name)) for (const element of name.elements) element.name && addValue(element.name, value)
    else values.set(name.text, [...(values.get(name.text) ?? []), value])
  }

  /** Returns the tables that an expression can be, or that it contains; none if they are not known here. */
  function tablesOf(node, depth = 0) {
    const inside = (part) => tablesOf(part, depth + 1)
    if (depth > 8) return []
    if (ts.isIdentifier(node)) {
      if (tables.has(node.text)) return [tables.get(node.text)]
      return imported.has(node.text)
        ? (tablesInMap.get(node.text) ?? [])
        : (values.get(node.text) ?? []).flatMap(inside)
    }
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(inside)
    if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(inside)
    if (ts.isObjectLiteralExpression(node))
      return node.properties.flatMap((property) => {
        const value = property.initializer ?? property.expression
        if (value) return inside(value)
        return ts.isShorthandPropertyAssignment(property) ? inside(property.name) : []
      })
    const isPart = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)
    if (isPart || ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return inside(node.expression)
    // `alias(table, 'name')`
    if (ts.isCallExpression(node) && node.expression.getText(root) === 'alias') return inside(node.arguments[0])
    return []
  }

  /** Returns a string, a template or a sum of both as one string, with the names of the tables and the values of constants in it. */
  function textOf(node, depth = 0) {
    const inside = (part) => textOf(part, depth + 1)
    if (depth > 8) return UNKNOWN
    if (ts.isStringLiteralLike(node)) return node.text
    if (ts.isTaggedTemplateExpression(node)) return inside(node.template)
    if (ts.isTemplateExpression(node))
      return node.head.text + node.templateSpans.map((span) => inside(span.expression) + span.literal.text).join('')
    if (isSum(node)) return inside(node.left) + inside(node.right)
    if (ts.isPropertyAccessExpression(node) && tablesOf(node.expression).length > 0) return 'a_column'
    const named = tablesOf(node)
    if (named.length > 0) return named.join('|')
    const [value, ...others] = (ts.isIdentifier(node) && !imported.has(node.text) && values.get(node.text)) || []
    return value && others.length === 0 && isText(value) ? inside(value) : UNKNOWN
  }

  function visit(node) {
    if (isText(node)) checkText(node, textOf(node).replace(/\/\*.*?\*\/|--.*$/gms, ' '))
    if (ts.isCallExpression(node)) checkCall(node)
    // The parts of a template were checked with it; its expressions contain further strings.
    ts.forEachChild(node, isText(node) ? visitExpressions : visit)
  }

  function visitExpressions(node) {
    if (ts.isTemplateSpan(node)) visit(node.expression)
    else if (isText(node)) ts.forEachChild(node, visitExpressions)
    else if (!ts.isToken(node)) visit(node)
  }

  function checkText(node, text) {
    for (const [, statement, target = UNKNOWN] of text.matchAll(WRITE))
      if (!/^truncate/i.test(statement) || owners.has(target))
        for (const table of target.split('|')) checkWrite(node, table)
    for (const [, target = UNKNOWN] of text.matchAll(UPDATE))
      if (target.toUpperCase() !== 'SET') for (const table of target.split('|')) checkWrite(node, table)
    if (/\b(SELECT|DELETE|UPDATE|INSERT|JOIN|EXISTS)\b/.test(text))
      for (const [, table = UNKNOWN] of text.matchAll(READ)) for (const each of table.split('|')) checkRead(node, each)
  }

  function checkCall(node) {
    const { expression, arguments: given } = node
    const isMethod = ts.isPropertyAccessExpression(expression)
    const name = isMethod ? expression.name.text : expression.getText(root)
    if (Object.hasOwn(WRITERS_OF_A_GIVEN_TABLE, name)) {
      const found = new Set(given.flatMap((argument) => tablesOf(argument)))
      for (const table of found.size > 0 ? found : [UNKNOWN]) checkWrite(node, table)
    }
    if (!isMethod || !given[0]) return
    if (/^(from|(inner|left|right|full|cross)Join)$/.test(name))
      for (const table of tablesOf(given[0])) checkRead(node, table)
    if (!Object.hasOwn(BUILDER, name)) return
    // A repository's own method takes the fields of a row.
    const found = ts.isObjectLiteralExpression(given[0]) ? [] : tablesOf(given[0])
    for (const table of found) checkWrite(node, table)
    const next = ts.isPropertyAccessExpression(node.parent) ? node.parent.name.text : ''
    if (found.length === 0 && BUILDER[name].test(next)) checkWrite(node, UNKNOWN)
  }

  function checkWrite(node, table) {
    if (owners.get(table) === module || (module === 'platform' && table.startsWith('pg_'))) return
    if (table === UNKNOWN && Object.values(WRITERS_OF_A_GIVEN_TABLE).includes(file)) return
    report(
      node,
      table === UNKNOWN ? 'writes a table that this check cannot determine' : `writes ${table} of ${owners.get(table)}`,
    )
  }

  function checkRead(node, table) {
    const owner = owners.get(table)
    if (!owner || owner === module) return
    const pair = `${module} reads ${owner}`
    reads.set(pair, (reads.get(pair) ?? 0) + 1)
    const isLater = order.includes(module) && order.indexOf(owner) > order.indexOf(module)
    if (isLater && !READ_OF_LATER_MODULES[module]?.includes(table))
      report(node, `reads ${table} of ${owner}, a later module`)
  }

  function report(node, what) {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart(root))
    violations.push(`${file}:${line + 1}: ${module} ${what}`)
  }
}

function isSum(node) {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    (isText(node.left) || isText(node.right))
  )
}

function isText(node) {
  if (ts.isStringLiteralLike(node)) return !ts.isImportDeclaration(node.parent) && !ts.isExportDeclaration(node.parent)
  return ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node) || isSum(node)
}

if (process.argv.includes('--reads'))
  for (const [pair, count] of [...reads].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(4)} ${pair}`)
for (const violation of new Set(violations)) console.log(violation)
console.log(`${owners.size} tables, ${violations.length} violations`)
process.exit(violations.length > 0 ? 1 : 0)
