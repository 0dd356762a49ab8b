ALTER TABLE "wecom_join_group" DROP CONSTRAINT "wecom_join_group_once";--> statement-breakpoint
ALTER TABLE "wecom_group_move" ADD COLUMN "scene" text;--> statement-breakpoint
update wecom_group_move v set scene = coalesce((select m.join_scene from wecom_group_member m where m.group_id = v.group_id and m.userid = v.userid), 'qrcode');--> statement-breakpoint
ALTER TABLE "wecom_group_move" ALTER COLUMN "scene" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_join_group" ADD COLUMN "is_held" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_join_switch" ADD COLUMN "by_id" integer;--> statement-breakpoint
ALTER TABLE "wecom_join_switch" ADD COLUMN "reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD COLUMN "room_low" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD COLUMN "staff_code_id" integer;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD COLUMN "read_next_at" bigint;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD COLUMN "synced_at" bigint;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD COLUMN "reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_join_switch" ADD CONSTRAINT "wecom_join_switch_by_id_admin_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."admin"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD CONSTRAINT "wecom_join_way_staff_code_id_channel_code_id_fk" FOREIGN KEY ("staff_code_id") REFERENCES "public"."channel_code"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "wecom_join_group_once" ON "wecom_join_group" USING btree ("group_id") WHERE is_held;--> statement-breakpoint
CREATE INDEX "wecom_join_group_by_chat" ON "wecom_join_group" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "wecom_join_way_read" ON "wecom_join_way" USING btree ("read_next_at") WHERE read_next_at is not null;--> statement-breakpoint
CREATE INDEX "wecom_join_way_by_staff_code" ON "wecom_join_way" USING btree ("staff_code_id") WHERE staff_code_id is not null;--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD CONSTRAINT "wecom_join_way_low" CHECK ("wecom_join_way"."room_low" between 0 and 100);--> statement-breakpoint
ALTER TABLE "wecom_join_way" ADD CONSTRAINT "wecom_join_way_base" CHECK ("wecom_join_way"."base_id" >= 1);