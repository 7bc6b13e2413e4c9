// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  group: () => string
  notFound: () => string
  notFoundLead: () => string
  toList: () => string
  search: () => string
  create: () => string
  name: () => string
  nameMissing: () => string
  description: () => string
  members: () => string
  created: () => string
  applications: () => string
  noApplications: () => string
  noMembers: () => string
  findUsers: () => string
  add: () => string
  added: () => string
  removed: () => string
  remove: () => string
  undo: () => string
  removeMember: (values: { name: string | number }) => string
  undoRemoval: (values: { name: string | number }) => string
  undoAddition: (values: { name: string | number }) => string
  addMember: (values: { name: string | number }) => string
  membersSaved: () => string
  groupCreated: () => string
  groupSaved: () => string
  edit: () => string
  editTitle: (values: { name: string | number }) => string
  delete: () => string
  deleteTitle: (values: { name: string | number }) => string
  deleteText: () => string
  deleted: (values: { name: string | number }) => string
  assign: () => string
  assigned: () => string
  empty: () => string
  outOf: (values: { shown: number; total: number }) => string
}
export default messages
