ALTER TABLE "coupon" ADD COLUMN "cost_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "coupon" ADD COLUMN "recommend_text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "coupon" ADD COLUMN "approved" jsonb;--> statement-breakpoint
ALTER TABLE "coupon" ADD COLUMN "approved_at" bigint;--> statement-breakpoint
CREATE INDEX "coupon_by_scope" ON "coupon" USING btree ("scope","id");--> statement-breakpoint
CREATE INDEX "coupon_by_kind" ON "coupon" USING btree ("scope","kind","id");--> statement-breakpoint
CREATE INDEX "coupon_by_reach" ON "coupon" USING btree ("scope","apply_kind","id");--> statement-breakpoint
CREATE INDEX "coupon_by_claim" ON "coupon" USING btree ("scope","claim_kind","id");--> statement-breakpoint
CREATE INDEX "coupon_by_bearer" ON "coupon" USING btree ("scope","platform_share_bp","id");--> statement-breakpoint
CREATE INDEX "coupon_by_creator" ON "coupon" USING btree ("scope","created_by","id");--> statement-breakpoint
CREATE INDEX "coupon_by_source" ON "coupon" USING btree ("copy_from_id");--> statement-breakpoint
CREATE INDEX "coupon_turning" ON "coupon" USING btree ("claim_end_at") WHERE status in ('waiting', 'active', 'paused');--> statement-breakpoint
CREATE INDEX "coupon_by_named" ON "coupon" USING gin ("apply_ids" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "coupon_grant_by_holder" ON "coupon_grant" USING btree ("coupon_id","member_id");--> statement-breakpoint
UPDATE "coupon" c SET "cost_cents" = g.cents FROM (SELECT "coupon_id", sum("discount_cents") cents FROM "coupon_grant" WHERE "status" = 'used' GROUP BY 1) g WHERE g.coupon_id = c.id AND g.cents IS NOT NULL;--> statement-breakpoint
UPDATE "coupon" SET "approved_at" = "updated_at" WHERE "status" IN ('waiting', 'active', 'paused', 'ended', 'void');
