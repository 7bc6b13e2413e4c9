ALTER TABLE "api_tokens" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "directories" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "scim_tokens" ADD COLUMN "temporary_set_by" uuid;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "temporary_set_by" uuid;