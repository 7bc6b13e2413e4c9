ALTER TABLE "team_domains" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "team_domains" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "team_domains_due" ON "team_domains" USING btree ("due_at") WHERE verified_at IS NOT NULL;