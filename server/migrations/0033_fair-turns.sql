DROP INDEX "jobs_due";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "team_id" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "caused_by_user_id" uuid;--> statement-breakpoint
CREATE INDEX "jobs_of_teams" ON "jobs" USING btree ("kind","team_id","run_at") WHERE failed_at IS NULL AND team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "mails_caused" ON "mails" USING btree ("caused_by_user_id","created_at") WHERE caused_by_user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("run_at") WHERE failed_at IS NULL AND team_id IS NULL;