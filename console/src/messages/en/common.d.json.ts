// Written by `npm run messages -w console`.
declare const messages: {
  cancel: () => string
  close: () => string
  save: () => string
  discard: () => string
  changes: (values: { count: number }) => string
  saved: () => string
  chooseFile: () => string
  showSecret: () => string
  search: () => string
  filter: () => string
  removeFilter: (values: { name: string | number }) => string
  columns: () => string
  rows: () => string
  range: (values: { from: number; to: number; total: number }) => string
  noRows: () => string
  clearFilters: () => string
  previousPage: () => string
  nextPage: () => string
  selectRow: (values: { name: string | number }) => string
  selectPage: () => string
  selected: (values: { count: number }) => string
  selectAllMatching: (values: { count: number }) => string
  allMatchingSelected: (values: { count: number }) => string
  clearSelection: () => string
  sortBy: (values: { name: string | number }) => string
  actions: () => string
  open: () => string
  previous: () => string
  next: () => string
  position: (values: { position: number; total: number }) => string
  offline: () => string
  failed: () => string
  requestId: (values: { id: string | number }) => string
}
export default messages
