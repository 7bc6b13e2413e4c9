ALTER TABLE "consents" ADD COLUMN "restricted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" DROP CONSTRAINT "consents_user_id_application_id_pk";--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_application_id_restricted_pk" PRIMARY KEY("user_id","application_id","restricted");--> statement-breakpoint
-- What may have been allowed by the application's team, signed in as the user, is asked for again in the user's own sessions.
UPDATE consents c SET restricted = true WHERE EXISTS (
  SELECT FROM sessions g WHERE g.user_id = c.user_id AND g.application_id = c.application_id AND g.kind = 'grant' AND g.confined_team_id IS NOT NULL);
