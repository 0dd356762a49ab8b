CREATE TABLE "wecom_tag_given" (
	"follow_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "wecom_tag_given_follow_id_tag_id_pk" PRIMARY KEY("follow_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "wecom_tag_hit" (
	"tag_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"event" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "wecom_tag_hit_tag_id_customer_id_event_pk" PRIMARY KEY("tag_id","customer_id","event")
);
--> statement-breakpoint
DROP INDEX "wecom_tag_name_once";--> statement-breakpoint
ALTER TABLE "wecom_tag" ADD COLUMN "rule_seen_at" bigint;--> statement-breakpoint
ALTER TABLE "wecom_tag" ADD COLUMN "twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_task" ADD COLUMN "tag_id" integer;--> statement-breakpoint
ALTER TABLE "wecom_task" ADD COLUMN "tag_group_id" integer;--> statement-breakpoint
ALTER TABLE "wecom_tag_given" ADD CONSTRAINT "wecom_tag_given_follow_id_wecom_follow_id_fk" FOREIGN KEY ("follow_id") REFERENCES "public"."wecom_follow"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wecom_tag_given" ADD CONSTRAINT "wecom_tag_given_tag_id_wecom_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."wecom_tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wecom_tag_hit" ADD CONSTRAINT "wecom_tag_hit_tag_id_wecom_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."wecom_tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wecom_tag_hit" ADD CONSTRAINT "wecom_tag_hit_customer_id_wecom_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."wecom_customer"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wecom_tag_given_by_tag" ON "wecom_tag_given" USING btree ("tag_id","at");--> statement-breakpoint
CREATE INDEX "wecom_tag_hit_by_time" ON "wecom_tag_hit" USING btree ("tag_id","at");--> statement-breakpoint
CREATE INDEX "wecom_tag_hit_by_customer" ON "wecom_tag_hit" USING btree ("customer_id");--> statement-breakpoint
ALTER TABLE "wecom_task" ADD CONSTRAINT "wecom_task_tag_id_wecom_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."wecom_tag"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wecom_task" ADD CONSTRAINT "wecom_task_tag_group_id_wecom_tag_group_id_fk" FOREIGN KEY ("tag_group_id") REFERENCES "public"."wecom_tag_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wecom_tag_by_group" ON "wecom_tag" USING btree ("group_id","sort");--> statement-breakpoint
CREATE INDEX "wecom_task_by_tag" ON "wecom_task" USING btree ("tag_id","id") WHERE tag_id is not null;--> statement-breakpoint
CREATE INDEX "wecom_task_by_tag_group" ON "wecom_task" USING btree ("tag_group_id","id") WHERE tag_group_id is not null;--> statement-breakpoint
UPDATE "wecom_tag" SET "auto_rule" = NULL WHERE "auto_rule" IS NOT NULL AND "auto_rule" ->> 'kind' IS NULL;--> statement-breakpoint
UPDATE "wecom_tag" t SET "twin" = true WHERE t."status" <> 'deleted' AND EXISTS (SELECT 1 FROM "wecom_tag" o WHERE o."group_id" = t."group_id" AND o."id" < t."id" AND o."status" <> 'deleted' AND lower(regexp_replace(normalize(o."name", NFKC), '\s+', ' ', 'g')) = lower(regexp_replace(normalize(t."name", NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE UNIQUE INDEX "wecom_tag_name_once" ON "wecom_tag" USING btree ("group_id",lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g'))) WHERE status <> 'deleted' and not twin;