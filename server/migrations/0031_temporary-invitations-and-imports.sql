ALTER TABLE "invitations" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "temporary_set_by" uuid;