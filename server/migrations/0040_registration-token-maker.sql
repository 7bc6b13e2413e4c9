ALTER TABLE "applications" ADD COLUMN "registration_token_by" uuid;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "registration_token_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "registration_token_temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "registration_token_of_instance" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "applications_registration_token_by" ON "applications" USING btree ("registration_token_by") WHERE registration_token_by IS NOT NULL;