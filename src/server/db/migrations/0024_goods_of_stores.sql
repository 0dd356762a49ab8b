ALTER TABLE "product" ADD COLUMN "sort" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "distribution_bp" integer;--> statement-breakpoint
CREATE INDEX "product_by_city" ON "product" USING btree ("city_id","kind","id");--> statement-breakpoint
CREATE INDEX "product_by_sort" ON "product" USING btree ("kind","sort","id");--> statement-breakpoint
CREATE INDEX "product_ending" ON "product" USING btree ("sale_end_at") WHERE kind = 'bulks' and state = 'on_sale';--> statement-breakpoint
CREATE INDEX "product_sold_out" ON "product" USING btree ("id") WHERE kind = 'bulks' and state = 'on_sale' and stock <= held;