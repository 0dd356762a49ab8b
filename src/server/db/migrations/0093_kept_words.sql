ALTER TABLE "film_order" ALTER COLUMN "provider_status" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "film_order" ALTER COLUMN "provider_status" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "film_refund" ALTER COLUMN "provider_answer" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "film_refund" ALTER COLUMN "provider_answer" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "film_request" ALTER COLUMN "answer" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "film_request" ALTER COLUMN "answer" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "vip_charge" ALTER COLUMN "error" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "vip_charge" ALTER COLUMN "error" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "vip_subscription" ALTER COLUMN "charge_error" SET DATA TYPE varchar(255);--> statement-breakpoint
ALTER TABLE "vip_subscription" ALTER COLUMN "charge_error" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "bank_check" ADD COLUMN "posted_at" bigint;--> statement-breakpoint
CREATE INDEX "bank_check_unposted" ON "bank_check" USING btree ("sent_at") WHERE sent_at is not null and posted_at is null;--> statement-breakpoint
-- The journal has told the amounts of these: they prove nothing any more.
update bank_check set state = 'void', void_why = 'expired', version = version + 1 where state = 'waiting';--> statement-breakpoint
update bank_check set posted_at = sent_at where sent_at is not null;
