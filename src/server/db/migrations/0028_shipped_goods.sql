ALTER TABLE "product" ADD COLUMN "limit_per_member" integer;--> statement-breakpoint
ALTER TABLE "product_store" ADD COLUMN "price_cents" bigint;--> statement-breakpoint
CREATE INDEX "product_by_price" ON "product" USING btree ("kind","price_cents","id");