// Written by `npm run messages -w console`.
declare const messages: {
  policy: () => string
  everyone: (values: { team: string | number }) => string
  assignedOnly: (values: { count: number }) => string
  assignmentSwitch: () => string
  assignmentSwitchHint: () => string
  closeTitle: () => string
  closeText: () => string
  closeVerb: () => string
  groups: () => string
  groupMembers: (values: { count: number }) => string
  noGroups: () => string
  assignGroups: () => string
  groupsLabel: () => string
  groupsSearch: () => string
  users: () => string
  usersSearch: () => string
  noUsers: () => string
  assignUsers: () => string
  usersLabel: () => string
  user: () => string
  email: () => string
  access: () => string
  accessName: (values: { access: string; groups: string | number }) => string
  firstAssignment: () => string
  chooseOne: () => string
  assign: () => string
  assigned: (values: { count: number }) => string
  actionsLabel: (values: { name: string | number }) => string
  remove: () => string
  removeLabel: (values: { name: string | number }) => string
  removeTitle: (values: { name: string | number }) => string
  removeUserText: (values: { name: string | number }) => string
  removeGroupText: (values: { name: string | number }) => string
  removed: (values: { name: string | number }) => string
  check: () => string
  checkLabel: (values: { name: string | number }) => string
  checkSearch: () => string
}
export default messages
