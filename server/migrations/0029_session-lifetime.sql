ALTER TABLE "organizations" ADD COLUMN "session_max_lifetime_days" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "signed_in_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "instance_settings" ADD COLUMN "session_max_lifetime_days" integer DEFAULT 90 NOT NULL;--> statement-breakpoint
UPDATE "sessions" SET "signed_in_at" = "created_at";