/** What a mail says, before it becomes text and HTML. */
export interface Letter {
  subject: string
  heading: string
  paragraphs: string[]
  /** The one thing to do; its address also stands in the text part. */
  action?: { label: string; url: string }
  /** Small print below: how long it holds, what to do when it was not you. */
  notes: string[]
}

/** How the instance looks, from its settings. */
export interface Brand {
  name: string
  logoUrl: string | null
  primaryColor: string
}

/**
 * A kind of mail: made by a room, registered in `app.ts`. Values are plain JSON, because they wait sealed in the outbox; the
 * letter is written when it is sent, so that it carries the name that the instance has then.
 */
export interface MailKind<
  Values extends Record<string, string | number | null> = Record<string, string | number | null>,
> {
  kind: string
  /** How long after it was asked for it is worth sending, in milliseconds: as long as its link lives; null = always. */
  goodFor: number | null
  write(values: Values, brand: Brand): Letter
}

export const defineMail = <Values extends Record<string, string | number | null>>(
  kind: string,
  goodFor: number | null,
  write: (values: Values, brand: Brand) => Letter,
): MailKind<Values> => ({ kind, goodFor, write })
