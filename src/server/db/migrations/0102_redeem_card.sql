ALTER TABLE "code_batch" ADD COLUMN "ecard_attr_id" integer;--> statement-breakpoint
ALTER TABLE "code_batch" ADD COLUMN "ecard_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "code_batch" ADD CONSTRAINT "code_batch_ecard_attr_id_ecard_attr_id_fk" FOREIGN KEY ("ecard_attr_id") REFERENCES "public"."ecard_attr"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_batch_with_card" ON "code_batch" USING btree ("id") WHERE ecard_attr_id is not null;