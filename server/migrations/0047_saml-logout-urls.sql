ALTER TABLE "applications" ADD COLUMN "saml_sp_slo_response_url" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_sp_slo_post_url" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "saml_sp_slo_post_response_url" text;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saml_slo_response_url" text;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saml_slo_post_url" text;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saml_slo_post_response_url" text;