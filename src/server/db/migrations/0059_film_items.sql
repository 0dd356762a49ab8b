ALTER TABLE "order_item" DROP CONSTRAINT "order_item_sold";--> statement-breakpoint
DROP INDEX "film_request_waiting";--> statement-breakpoint
CREATE INDEX "film_request_waiting" ON "film_request" USING btree ("ask_at") WHERE ask_at is not null;--> statement-breakpoint
ALTER TABLE "order_item" ADD CONSTRAINT "order_item_sold" CHECK (case when "order_item"."kind" = 'film' then num_nonnulls("order_item"."product_id", "order_item"."ecard_attr_id") = 0 else num_nonnulls("order_item"."product_id", "order_item"."ecard_attr_id") = 1 end);