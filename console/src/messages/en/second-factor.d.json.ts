// Written by `npm run messages -w console`.
declare const messages: {
  passkeyHeading: () => string
  passkeyLead: () => string
  passkeySubmit: () => string
  totpHeading: () => string
  totpLead: () => string
  totpLabel: () => string
  backupHeading: () => string
  backupLead: () => string
  backupLabel: () => string
  instead: (values: { method: string }) => string
  submit: () => string
  codeMissing: () => string
  codeIncomplete: () => string
  backupIncomplete: () => string
  timeLeft: (values: { time: string | number }) => string
  minuteLeft: () => string
  lost: () => string
  lostMethod: (values: { method: string }) => string
  otherTeamTitle: () => string
  otherTeamLead: () => string
  otherTeamNext: () => string
  ownTeam: () => string
  cleanedTitle: () => string
  passkeyContinue: () => string
  lostHeading: () => string
  lostLead: () => string
  lostNone: () => string
  lostAdmin: () => string
  lostAdminOnly: () => string
  lostSupport: () => string
  back: () => string
  otherMethod: () => string
  wrongBackupCode: (values: { count: number }) => string
  wrongCode: (values: { count: number }) => string
}
export default messages
