ALTER TABLE "device_codes" ADD COLUMN "generation" integer;--> statement-breakpoint
ALTER TABLE "interactions" ADD COLUMN "generation" integer;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "generation" integer;