DROP INDEX "buy_limit_take_once";--> statement-breakpoint
ALTER TABLE "buy_limit_take" ADD COLUMN "unit_from" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "buy_limit_take_once" ON "buy_limit_take" USING btree ("item_id","rule_id","dim_hash");