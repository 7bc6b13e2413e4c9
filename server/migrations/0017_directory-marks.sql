ALTER TABLE "directories" ADD COLUMN "last_full_sync_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "mark" text;--> statement-breakpoint
ALTER TABLE "directory_runs" ADD COLUMN "mode" text DEFAULT 'full' NOT NULL;--> statement-breakpoint
CREATE INDEX "directory_members_member" ON "directory_members" USING btree ("directory_id","member");