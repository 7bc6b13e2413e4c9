ALTER TABLE "passwords" DROP COLUMN "given_by_team_id";--> statement-breakpoint
ALTER TABLE "passwords" DROP COLUMN "confined_team_id";