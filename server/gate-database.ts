// Which tests the gate repeats on PostgreSQL with two nodes: those whose result can depend on the engine or on a second node.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/**
 * Matches tests whose result can depend on the engine or on a second node: concurrent requests (locks, races), several nodes (also in their
 * title), revoked credentials (caches), jobs, triggers, restarts, many rows, generated input.
 */
const DEPENDS_ON_DATABASE =
  /atOnce\(|Promise\.all|\bnodes?\b(?!: [01]\b)|restart\(|joinMany|generate_series|fc\.assert|expectSession|duringRevocation|sealEverything|EXPLAIN|CREATE TRIGGER|CREATE FUNCTION|settle\(\)/
/** Matches files all of whose tests do: they create databases themselves, go through every route, or run random sequences. */
const WHOLE_FILE_DEPENDS = /testSequences\(|SERVER_URL|createTestDatabase|openDatabase\(|documentedRoutes/

/** Returns whether the file has a test that the gate repeats on PostgreSQL. */
export function isRepeatedOnDatabase(file: string): boolean {
  const source = readFileSync(file, 'utf8')
  if (WHOLE_FILE_DEPENDS.test(source)) return true
  return DEPENDS_ON_DATABASE.test(source) && testsOf(file, source).some(({ dependsOnDatabase }) => dependsOnDatabase)
}

/** Returns the source of a test file with `it.skip` in place of `it` for each test that the gate does not repeat. */
export function skipOtherTests(file: string, source: string): string {
  if (WHOLE_FILE_DEPENDS.test(source)) return source
  const skipped = testsOf(file, source).filter(({ dependsOnDatabase }) => !dependsOnDatabase)
  // From the end, so that the earlier positions stay valid.
  return skipped.reduceRight((text, { end }) => `${text.slice(0, end)}.skip${text.slice(end)}`, source)
}

/**
 * The calls of `it`, `it.each(…)` and `it.skipIf(…)`, in the order of the file, each with the position after `it`. A test depends on the
 * database if its code does, or a function or constant of the file that it names, directly or through others. A test that prepares others
 * counts too.
 */
function testsOf(file: string, source: string): { end: number; dependsOnDatabase: boolean }[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const declared = new Map<string, string>()
  const calls: { name: ts.Identifier; call: ts.CallExpression }[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)) && node.name && ts.isIdentifier(node.name))
      declared.set(node.name.text, node.getText())
    const name = ts.isCallExpression(node) ? nameOfTest(node) : undefined
    if (name) calls.push({ name, call: node as ts.CallExpression })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const depends = (code: string, seen: Set<string>): boolean =>
    DEPENDS_ON_DATABASE.test(code) ||
    (code.match(/[A-Za-z_]\w*/g) ?? []).some((word) => {
      const code = seen.has(word) ? undefined : declared.get(word)
      if (code === undefined) return false
      seen.add(word)
      return depends(code, seen)
    })
  // Every test names the service; that it was started with two nodes decides nothing.
  return calls.map(({ name, call }) => ({
    end: name.getEnd(),
    dependsOnDatabase: assignsOuterVariable(call) || depends(call.getText(), new Set(['service', 'api'])),
  }))
}

/** Returns whether the test assigns a variable that it does not declare: later tests read it. */
function assignsOuterVariable(call: ts.CallExpression): boolean {
  const declared = new Set<string>()
  const assigned = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) declared.add(node.name.text)
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isIdentifier(node.left)
    )
      assigned.add(node.left.text)
    ts.forEachChild(node, visit)
  }
  visit(call)
  return [...assigned].some((name) => !declared.has(name))
}

/** The `it` of a call that defines tests: `it(…)`, `it.each(…)(…)`, `it.skipIf(…)(…)`. */
function nameOfTest({ expression }: ts.CallExpression): ts.Identifier | undefined {
  if (ts.isIdentifier(expression)) return expression.text === 'it' ? expression : undefined
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return undefined
  const { expression: name } = expression.expression
  return ts.isIdentifier(name) && name.text === 'it' ? name : undefined
}
