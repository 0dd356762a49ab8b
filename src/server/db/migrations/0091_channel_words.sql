ALTER TABLE "withdrawal" ALTER COLUMN "channel_error" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "recon_fetch" ALTER COLUMN "answer" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "recon_fetch" ALTER COLUMN "answer" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "dist_split_order" ALTER COLUMN "fail_reason" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "dist_split_order" ALTER COLUMN "fail_reason" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "dist_split_receiver" ALTER COLUMN "fail_reason" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "dist_split_receiver" ALTER COLUMN "fail_reason" SET DEFAULT '';