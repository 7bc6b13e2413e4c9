CREATE TABLE "logos" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"media_type" text,
	"content" "bytea",
	"requested_at" timestamp (3) with time zone NOT NULL
);
