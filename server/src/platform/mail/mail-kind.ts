/** The content of a mail, before it is rendered as text and HTML. */
export interface MailContent {
  subject: string
  heading: string
  paragraphs: string[]
  /** The call to action; the text part contains its URL. */
  action?: { label: string; url: string }
  /** Small print, such as what to do if the recipient did not request the mail. */
  notes: string[]
}

/** The branding of the instance, from its settings. */
export interface Brand {
  name: string
  logoUrl: string | null
  primaryColor: string
}

/**
 * A kind of mail: defined by a module, registered with its module. Values are plain JSON, because they are stored sealed in the outbox.
 * The mail is rendered when it is sent, so that it has the current name of the instance.
 */
export interface MailKind<Values extends MailValues = MailValues> {
  kind: string
  /** Milliseconds after which an unsent mail is discarded, usually the lifetime of its link; null: never. */
  goodFor: number | null
  write(values: Values, brand: Brand): MailContent
}

export type MailValues = Record<string, string | number | null>

export const defineMail = <Values extends MailValues>(
  kind: string,
  goodFor: number | null,
  write: (values: Values, brand: Brand) => MailContent,
): MailKind<Values> => ({ kind, goodFor, write })
