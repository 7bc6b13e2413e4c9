// Written by `npm run messages -w console`.
declare const messages: {
  outcome: (values: { outcome: string }) => string
  state: (values: { status: string }) => string
  checkResult: (values: { state: string | number; check: string | number }) => string
  check: (values: { id: string }) => string
  oidcFix: (values: { id: string; secret: string | number; audience: string | number }) => string
  samlFix: (values: { id: string; audience: string | number; acs: string | number }) => string
  rejection: (values: { code: string }) => string
  rejectionFix: (values: { code: string }) => string
  unknownUser: () => string
  test: () => string
  title: (values: { kind: string }) => string
  passed: () => string
  passedHelp: (values: { user: string | number }) => string
  rejected: (values: { kind: string }) => string
  running: () => string
  runningHelp: () => string
  notFound: () => string
  notFoundLead: () => string
  again: () => string
  continue: () => string
  received: () => string
  nothingReceived: () => string
  profile: () => string
  attribute: () => string
  value: () => string
  field: () => string
  fieldTo: (values: { field: string | number }) => string
  failedChecks: () => string
  checks: () => string
  otherChecks: (values: { count: number }) => string
  passedCount: (values: { count: number }) => string
  failedCount: (values: { count: number }) => string
  skippedCount: (values: { count: number }) => string
  expected: () => string
  found: () => string
}
export default messages
