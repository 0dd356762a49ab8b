CREATE INDEX "order_used" ON "order" USING btree ("used_at") WHERE used_at is not null;--> statement-breakpoint
CREATE INDEX "wecom_follow_changed" ON "wecom_follow" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "wecom_group_move_joined" ON "wecom_group_move" USING btree ("at") WHERE kind = 'join';--> statement-breakpoint
CREATE INDEX "wecom_note_at" ON "wecom_note" USING btree ("at");