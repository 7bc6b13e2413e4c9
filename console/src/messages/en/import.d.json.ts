// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  import: () => string
  chooseTitle: () => string
  chooseAbout: () => string
  file: () => string
  clearFile: () => string
  filePlaceholder: () => string
  template: () => string
  columns: () => string
  sendLinks: () => string
  fileMissing: () => string
  fileLarge: () => string
  fileEncoding: () => string
  check: () => string
  checkTitle: () => string
  checkAbout: () => string
  runTitle: () => string
  start: (values: { count: number }) => string
  fileGone: () => string
  running: (values: { processed: number; total: number }) => string
  queued: () => string
  continues: () => string
  stop: () => string
  status: (values: { status: string }) => string
  created: () => string
  updated: () => string
  unchanged: () => string
  failed: () => string
  statusTitle: () => string
  rows: () => string
  failures: () => string
  failuresShown: (values: { count: string | number }) => string
  failuresStored: (values: { count: string | number; stored: number; failed: number }) => string
  line: () => string
  email: () => string
  reason: () => string
  report: () => string
  earlier: () => string
  earlierEmpty: () => string
  kind: () => string
  kindName: (values: { dryRun: string }) => string
  startedAt: () => string
  denied: () => string
}
export default messages
