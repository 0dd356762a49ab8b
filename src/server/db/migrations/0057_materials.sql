ALTER TABLE "dist_material" ADD COLUMN "printed_cents" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "dist_material" ADD COLUMN "confirmed_cents" bigint;--> statement-breakpoint
CREATE INDEX "dist_material_by_sort" ON "dist_material" USING btree ("sort","id");--> statement-breakpoint
CREATE INDEX "dist_material_for_all" ON "dist_material" USING btree ("sort","id") WHERE mall_ids = '[]'::jsonb;