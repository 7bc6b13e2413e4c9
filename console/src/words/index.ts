// One catalogue for all text. A second language is a second folder beside `en`, chosen here.
export * from './en'
