/** What a run is doing, by its phase. */
const phases: Record<string, string> = {
  waiting: 'Waiting for its turn',
  connecting: 'Connecting',
  users: 'Reading people',
  groups: 'Reading groups',
  members: 'Putting people into groups',
  leavers: 'Looking who is gone',
  done: 'Done',
}

/** What a run came to. */
const outcomes = {
  running: 'Under way',
  succeeded: 'Succeeded',
  problems: 'With problems',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const

interface Cause {
  title: string
  /** what to do about it */
  fix: string
}

/** Why a run failed as a whole. */
const causes: Record<string, Cause> = {
  unreachable: {
    title: 'The directory cannot be reached',
    fix: 'Look at its address and port, and whether a firewall lets this service through. Test the connection.',
  },
  timeout: {
    title: 'The directory did not answer in time',
    fix: 'Look whether the server is well, and whether a firewall swallows what is sent to it.',
  },
  tls_failed: {
    title: 'The connection could not be encrypted',
    fix: 'The certificate has to be for the very name in the address, and of an authority that is known here.',
  },
  wrong_credentials: {
    title: 'The directory refused the name or the password that it is read by',
    fix: 'Look whether that account is locked or its password has changed, and save the new one under Settings.',
  },
  base_not_found: {
    title: 'There is no entry with the base DN',
    fix: 'Write the base DN under Settings as the server has it, such as dc=example,dc=com.',
  },
  size_limit: {
    title: 'The directory gives out only a part of its entries',
    fix: 'Let the account read in pages (RFC 2696), or raise its limit. Nobody was suspended.',
  },
  cut: {
    title: 'The connection was cut while it was read',
    fix: 'Look in the log of the server, then start a sync once more: what was done stays.',
  },
  refused: {
    title: 'The directory refused to be read',
    fix: 'Look at what the account may read, and whether the server wants TLS.',
  },
  empty_result: {
    title: 'The directory shows nobody any more',
    fix: 'Nobody was suspended. Look at the filter, the base DN and what the account may read.',
  },
  leavers_unconfirmed: {
    title: 'More than a tenth of the people are not in the directory any more',
    fix: 'Nobody was suspended. Look who they are by a dry run; if that is right, sync and suspend them.',
  },
  too_long: {
    title: 'The directory could not be read within two hours',
    fix: 'Read less of it: by a narrower filter or base DN, or by a faster server.',
  },
  incomplete: {
    title: 'The directory changed too much while it was read',
    fix: 'Start a sync once more. If it stays, look at entries that share one address, and at very large groups.',
  },
  directory_disabled: {
    title: 'The directory was switched off meanwhile',
    fix: 'Turn it on, and start a sync once more.',
  },
  directory_orphaned: {
    title: 'Nobody answers for the directory any more',
    fix: 'Whoever saved its settings last has left or may not write them now. Look at the settings and save them once more: it acts by your rights then.',
  },
  forbidden: {
    title: 'Whoever saved the settings may not do enough',
    fix: 'Somebody who may change users and groups and put people into groups has to save them once more.',
  },
  stale_version: {
    title: 'The settings were changed while it was read',
    fix: 'Start a sync once more.',
  },
}

const unknownCause: Cause = {
  title: 'The sync failed',
  fix: 'Start it once more. If it stays, tell whoever runs this service.',
}

/** Why one entry was not taken over; what is not here is told in the service's own words. */
const refusals: Record<string, string> = {
  no_address: 'It has no email address.',
  invalid_address: 'What stands for its email address is none.',
  duplicate_address: 'Another entry of the directory has this address.',
  invalid_name: 'A group needs a name of at most 100 characters in one line.',
  too_many_members: 'It has more than 100,000 members.',
  group_name_taken: 'A group of this name was made here by hand, and is left as it is.',
  user_not_managed: 'The person belongs to another team too: their address is theirs to change.',
  address_taken: 'Another account has this address.',
  limit_reached: 'The team has as many members as it may have.',
  forbidden: 'The person may do more than whoever saved the settings of the directory.',
}

const planned: Record<string, string> = {
  create: 'Would be added',
  update: 'Would be changed',
  suspend: 'Would be suspended',
  create_group: 'Groups that would be made',
  update_group: 'Groups that would be changed',
  empty_group: 'Groups that would be emptied',
}

const number = (count: number) => count.toLocaleString('en')
const known = <Value>(table: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The readings of a team's LDAP directory. */
export const ldapRunWords = {
  sync: 'Import',
  syncAbout: 'A dry run says what a sync would do, and changes nothing.',
  isOff: 'The directory is switched off. Turn it on to read it.',
  dryRun: 'Dry run',
  syncNow: 'Sync now',
  starting: 'The sync begins',
  alreadyRuns: 'One was under way already. This is how far it is; no second one was started.',

  runs: 'Syncs',
  runsAbout: 'What was read from the directory, newest first. They are kept for 90 days.',
  noRuns: 'Nothing was read from the directory yet.',
  allRuns: 'All syncs',
  newer: 'Newer',
  older: 'Older',
  pages: 'Pages of syncs',
  notFound: 'No such sync',
  notFoundText: 'It was forgotten after 90 days, or belongs to a directory that was deleted.',
  toRuns: 'To all syncs',

  name: ({ dryRun }: { dryRun: boolean }) => (dryRun ? 'Dry run' : 'Sync'),
  outcome: (outcome: keyof typeof outcomes) => outcomes[outcome],
  phase: (phase: string) => known(phases, phase) ?? phase,
  bySchedule: 'by schedule',
  byYou: 'by you',
  byAnother: 'by another administrator',
  took: (time: string) => `took ${time}`,
  numbers: 'In numbers',
  progress: 'Progress',
  ofTotal: (processed: number, total: number) => `${number(processed)} of about ${number(total)} entries`,
  soFar: (processed: number) => `${number(processed)} ${processed === 1 ? 'entry' : 'entries'} so far`,
  elapsed(seconds: number) {
    const whole = Math.max(0, Math.round(seconds))
    return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
  },
  leave: 'You may leave this page: it goes on by itself.',
  open: 'Open',
  cancel: 'Cancel the sync',
  cancelDry: 'Cancel the dry run',
  cancelled: 'Cancelled. What was done stays.',
  cancelledDry: 'Cancelled. Nothing was changed.',

  short: ({ created, updated, suspended }: { created: number; updated: number; suspended: number }) =>
    `+${number(created)} ~${number(updated)} −${number(suspended)}`,
  shortLong: ({ created, updated, suspended }: { created: number; updated: number; suspended: number }) =>
    `${number(created)} added, ${number(updated)} changed, ${number(suspended)} suspended`,
  wouldShort: ({ created, updated, suspended }: { created: number; updated: number; suspended: number }) =>
    `Would add ${number(created)}, change ${number(updated)}, suspend ${number(suspended)}`,
  number,
  counts: {
    created: 'People added',
    updated: 'People changed',
    unchanged: 'People as before',
    suspended: 'People suspended',
    groupsCreated: 'Groups made',
    groupsUpdated: 'Groups changed',
    membersAdded: 'Put into groups',
    membersRemoved: 'Taken from groups',
    references: 'References not followed',
    failures: 'Entries refused',
  },
  wouldBe: {
    created: 'People to add',
    updated: 'People to change',
    unchanged: 'People as before',
    suspended: 'People to suspend',
    groupsCreated: 'Groups to make',
    groupsUpdated: 'Groups to change',
    references: 'References not followed',
    failures: 'Entries refused',
  },

  succeeded: 'Everything was taken over.',
  succeededDry: 'This is what a sync would do. Nothing was changed.',
  problems: (count: number) =>
    count === 1 ? 'One entry was not taken over.' : `${number(count)} entries were not taken over.`,
  problemsDry: (count: number) =>
    count === 1 ? 'One entry would not be taken over.' : `${number(count)} entries would not be taken over.`,
  /** The first sentence of what the service says: what follows is for programs. */
  inDetail: (detail: string) => `${detail.split('. ')[0]?.replace(/\.$/, '')}.`,
  cause: (code: string) => known(causes, code) ?? unknownCause,

  refused: 'Entries that were refused',
  refusedAbout: (shown: number, all: number) =>
    shown < all ? `The first ${number(shown)} of ${number(all)}.` : 'The others were taken over all the same.',
  entry: 'Entry',
  reason: 'Why',
  refusal: (code: string, message: string) => known(refusals, code) ?? message,
  saveCsv: 'Save as CSV',
  csvHead: ['dn', 'email', 'code', 'reason'],

  plan: 'What would change',
  planNothing: 'Nothing: what is here is what the directory says.',
  planFirst: (shown: number) => `The first ${number(shown)} changes are listed.`,
  planned: (what: string) => known(planned, what) ?? what,

  confirmTitle: (count: number) => (count === 1 ? 'Suspend one person?' : `Suspend ${number(count)} people?`),
  confirmManyTitle: 'Suspend who is gone?',
  confirmText:
    'More than a tenth of the people whom the directory brought are not in it any more. Their sessions and tokens end at once; nothing of theirs is deleted, and who returns to the directory is let in again.',
  confirmVerb: 'Sync and suspend',
} as const
