ALTER TABLE "store" ADD COLUMN "is_recommend" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "rest_until_at" bigint;--> statement-breakpoint
ALTER TABLE "product_store" ADD COLUMN "sort" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_store" ADD COLUMN "unavailable_dates" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "store_by_status" ON "store" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "store_recommended" ON "store" USING btree ("id") WHERE is_recommend;--> statement-breakpoint
CREATE INDEX "store_with_problem" ON "store" USING btree ("id") WHERE kind = 'offline' and status in ('open', 'resting') and (lng_e6 is null or (mall_id > 0 and floor_id is null) or brand_id is null or phone = '' or logo = '');--> statement-breakpoint
CREATE INDEX "store_resting" ON "store" USING btree ("rest_until_at") WHERE status = 'resting';