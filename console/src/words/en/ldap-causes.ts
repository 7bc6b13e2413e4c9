interface Cause {
  title: string
  /** what to do about it */
  fix: string
}

/** Why a run of an LDAP directory failed as a whole. */
export const causes: Record<string, Cause> = {
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
    fix: 'Check that the certificate matches the host name and was issued by a trusted CA, and that the port accepts TLS as the URL requests it (ldaps:// or StartTLS). Test the connection to see the cause.',
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
    title: 'More than a tenth of the people, or of the groups, are not in the directory any more',
    fix: 'Nobody was suspended, and no group was emptied. Look which they are by a dry run; if that is right, sync and suspend.',
  },
  too_long: {
    title: 'The directory could not be read within two hours',
    fix: 'Read less of it: by a narrower filter or base DN, or by a faster server.',
  },
  too_slow: {
    title: 'The directory answers too slowly',
    fix: 'It gave out fewer than ten entries a second for five minutes. What was read stays; sync again when it has less to do.',
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

export const unknownCause: Cause = {
  title: 'The sync failed',
  fix: 'Start it once more. If it stays, tell whoever runs this service.',
}

/** Why one entry was not taken over; what is not here is told in the service's own words. */
export const refusals: Record<string, string> = {
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
