DROP INDEX "merchant_by_city";--> statement-breakpoint
DROP INDEX "merchant_by_bd";--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "legal_id_no" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "contract_no" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "contract_start_at" bigint;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "commission_bp" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "next_commission_bp" integer;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "commission_from_at" bigint;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "bank_kind" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "bank_holder" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "bank_name" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "bank_no" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "settle_cycle" text DEFAULT 'weekly' NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "deposit_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "app_password_hash" text;--> statement-breakpoint
ALTER TABLE "merchant" ADD COLUMN "app_must_change" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "taken_off" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Of two merchants of one credit code the later takes its number too, until somebody says which it is.
UPDATE "merchant" a SET license_no = a.license_no || ' #' || a.id WHERE a.status <> 'terminated' AND EXISTS (SELECT 1 FROM "merchant" b WHERE b.id < a.id AND b.status <> 'terminated' AND b.license_no = a.license_no);--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_license_once" ON "merchant" USING btree ("license_no") WHERE status <> 'terminated';--> statement-breakpoint
CREATE INDEX "merchant_by_status" ON "merchant" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "merchant_by_contract" ON "merchant" USING btree ("contract_end_at") WHERE status in ('active', 'frozen');--> statement-breakpoint
CREATE INDEX "merchant_by_license" ON "merchant" USING btree ("license_expire_at") WHERE status in ('active', 'frozen');--> statement-breakpoint
CREATE INDEX "merchant_without_bank" ON "merchant" USING btree ("id") WHERE bank_no is null;--> statement-breakpoint
CREATE INDEX "product_taken_off" ON "product" USING btree ("merchant_id") WHERE taken_off <> '{}';--> statement-breakpoint
CREATE INDEX "merchant_by_city" ON "merchant" USING btree ("city_id","status","id");--> statement-breakpoint
CREATE INDEX "merchant_by_bd" ON "merchant" USING btree ("bd_admin_id","id");