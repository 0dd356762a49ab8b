ALTER TABLE "member" ADD COLUMN "avatar" text;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "gender" text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "birthday" text;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "unionid" text;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "register_source" text DEFAULT 'mini_program' NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "inviter_id" integer;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "points_frozen" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "points_debt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "growth" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "level_keep_until" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "vip_end_at" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "total_paid_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "order_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "last_order_at" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "last_visit_at" bigint;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "benefits_frozen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "benefits_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "member" ADD COLUMN "merged_into" integer;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_inviter_id_member_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."member"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_merged_into_member_id_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."member"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_points_frozen" CHECK ("member"."points_frozen" >= 0);--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_points_debt" CHECK ("member"."points_debt" >= 0 and ("member"."points" = 0 or "member"."points_debt" = 0));--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_growth" CHECK ("member"."growth" >= 0);--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_merged" CHECK (("member"."account_state" = 'merged') = ("member"."merged_into" is not null));