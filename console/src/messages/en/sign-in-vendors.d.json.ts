// Written by `npm run messages -w console`.
declare const messages: {
  name: (values: { vendor: string }) => string
  place: (values: { vendor: string }) => string
  description: (values: { vendor: string }) => string
  suggestedName: (values: { vendor: string }) => string
  oidcSteps: (values: { vendor: string }) => string
  issuerExample: (values: { vendor: string }) => string
  issuerHelp: (values: { vendor: string }) => string
  clientId: (values: { vendor: string }) => string
  clientSecret: (values: { vendor: string }) => string
  redirect: (values: { vendor: string }) => string
  oidcLogout: (values: { vendor: string }) => string
  samlSteps: (values: { vendor: string }) => string
  acs: (values: { vendor: string }) => string
  audience: (values: { vendor: string }) => string
  nameIdLabel: (values: { vendor: string }) => string
  nameId: (values: { vendor: string }) => string
  samlLogout: (values: { vendor: string }) => string
  metadataUrl: (values: { vendor: string }) => string
  attributes: (values: { vendor: string }) => string
  attributesHelp: (values: { vendor: string }) => string
  attributeColumns: (values: { vendor: string }) => string
  attributeRows: (values: { vendor: string }) => string
}
export default messages
