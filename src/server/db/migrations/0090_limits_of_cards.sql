DROP INDEX "ecard_attr_face_once";--> statement-breakpoint
ALTER TABLE "buy_limit_log" ALTER COLUMN "product_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ecard_attr" ADD COLUMN "chosen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "buy_limit_log" ADD COLUMN "ecard_id" integer;--> statement-breakpoint
ALTER TABLE "buy_limit_log" ADD CONSTRAINT "buy_limit_log_ecard_id_ecard_id_fk" FOREIGN KEY ("ecard_id") REFERENCES "public"."ecard"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ecard_attr_chosen_once" ON "ecard_attr" USING btree ("card_id","face_cents") WHERE chosen;--> statement-breakpoint
CREATE UNIQUE INDEX "ecard_attr_face_once" ON "ecard_attr" USING btree ("card_id","face_cents") WHERE not chosen;--> statement-breakpoint
ALTER TABLE "buy_limit_log" ADD CONSTRAINT "buy_limit_log_what" CHECK (num_nonnulls("buy_limit_log"."product_id", "buy_limit_log"."ecard_id") = 1);