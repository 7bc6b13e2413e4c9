/** /account/apps: the applications of a person, and what was allowed to them. */
export const appWords = {
  title: 'Applications',
  lead: 'What you can open with this account, and what you allowed.',
  mine: 'Your applications',
  mineAbout: 'Those that your teams opened to you.',
  mineEmpty: 'No applications yet. When one of your teams adds one, it stands here.',
  find: 'Find by name',
  noMatch: 'Nothing matches.',
  clearFilter: 'Clear the filter',

  allowed: 'What you allowed',
  allowedAbout: 'These applications may do something in your name. Removing access ends it at once.',
  allowedEmpty: 'You have allowed nothing yet. When an application asks you, your answer stands here.',
  of: (team: string) => `of ${team}`,
  since: 'Allowed',
  changed: 'Changed',
  lastUsed: 'Last used',
  neverUsed: 'Not used lately',
  offline: 'Also while you are away',
  mayDo: (count: number) => (count === 1 ? 'One permission' : `${count} permissions`),
  nothingYet: 'Nothing so far: it may use what other applications hand it for you',
  remove: 'Remove access',
  removeLabel: (application: string) => `Remove access of ${application}`,
  removeTitle: (application: string) => `Remove access of ${application}?`,
  removeText: (application: string) =>
    `${application} loses everything that you allowed, on all your devices, at once. You can still open it: it asks you again then. What it stored on its own side stays there.`,
  removeAgentText: (application: string) =>
    `${application} loses everything that you allowed, and everything that it was handed for you, at once. Nobody can hand it anything until you allow it again, here or at its sign-in if it has one. What it stored on its own side stays there.`,
  removed: (application: string) => `${application} has no access any more.`,

  takenBack: 'Agents that may not act for you',
  takenBackAbout: 'You removed their access. Applications that you use cannot hand them anything for you.',
  takenBackAt: 'Removed',
  allowAgain: 'Allow again',
  allowLabel: (agent: string) => `Allow again: ${agent}`,
  allowTitle: (agent: string) => `Allow ${agent} again?`,
  allowText: (agent: string) =>
    `Applications that you use may hand ${agent} their access to your account again, no more of it than they have themselves. What it had before stays ended.`,
  allowedAgain: (agent: string) => `${agent} may act for you again.`,
} as const
