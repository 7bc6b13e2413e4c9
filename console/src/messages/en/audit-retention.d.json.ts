// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  readOnly: () => string
  retention: () => string
  retentionAbout: () => string
  keep: () => string
  choice: (values: { days: string }) => string
  kept: () => string
  dayCount: (values: { count: number }) => string
  days: () => string
  daysWrong: () => string
  keepsAll: () => string
  keepsFrom: (values: { date: string | number }) => string
  minimum: () => string
  moved: () => string
  lastMoved: () => string
  confirmTitle: () => string
  confirmText: (values: { date: string | number }) => string
  confirmSearch: () => string
  confirmReturn: () => string
  confirm: () => string
  archives: () => string
  archivesAbout: () => string
  archivesEmpty: () => string
  archivesUnlimited: () => string
  older: (values: { count: number }) => string
  entries: (values: { count: number }) => string
  seals: (values: { count: number; first: number; last: number }) => string
  created: () => string
  download: () => string
  downloadLabel: (values: { range: string | number }) => string
  delete: () => string
  deleteLabel: (values: { range: string | number }) => string
  deleteTitle: (values: { range: string | number }) => string
  deleteFinal: (values: { count: number }) => string
  deleteChain: () => string
  deleteRecorded: () => string
  deleteFirst: () => string
  downloadFile: (values: { name: string | number }) => string
  deleteVerb: () => string
  deleted: () => string
}
export default messages
