import { causes, refusals, unknownCause } from './ldap-causes'

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

  name: ({ dryRun, mode }: { dryRun: boolean; mode: string }) =>
    dryRun ? 'Dry run' : mode === 'incremental' ? 'Sync of changes' : 'Sync',
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
    'More than a tenth of the people, or of the groups, that the directory brought are not in it any more. Sessions and tokens of these people end at once; nothing of theirs is deleted, and who returns to the directory is let in again. These groups stay, with nobody in them.',
  confirmVerb: 'Sync and suspend',
} as const
