ALTER TABLE "product" ADD COLUMN "limit_per_member" integer;--> statement-breakpoint
CREATE INDEX "product_by_price" ON "product" USING btree ("kind","price_cents","id");