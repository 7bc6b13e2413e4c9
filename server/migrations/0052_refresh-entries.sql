ALTER TABLE "sessions" ADD COLUMN "refreshes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "recorded_refreshes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "recorded_origins" "bytea"[] DEFAULT '{}' NOT NULL;