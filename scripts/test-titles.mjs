// Reads the titles of tests from the source of a test file.
import ts from 'typescript'

/**
 * Returns the literal titles of `it(…)` and `it.each(…)(…)`, with their placeholders. A title that the code computes is left out.
 *
 * @returns { title, line } in the order of the file, line from 1
 */
export function testTitles(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const titles = []
  const visit = (node) => {
    const title = ts.isCallExpression(node) && literalTitle(node)
    if (title) {
      const { line } = tree.getLineAndCharacterOfPosition(title.getStart())
      titles.push({ title: title.getText().slice(1, -1), line: line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return titles
}

function literalTitle({ expression, arguments: [title] }) {
  const callee = ts.isCallExpression(expression) ? expression.expression : expression
  if (!/^(it|test)(\.(each|skipIf|runIf))?$/.test(callee.getText())) return undefined
  return title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)) ? title : undefined
}
