ALTER TABLE "directories" ADD COLUMN "page_size" integer;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "ca_certificate" text;