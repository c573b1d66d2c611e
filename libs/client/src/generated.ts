// Made from the description of the API by `npm run generate`. Do not edit.
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is running */
        get: operations["checkLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service can handle requests
         * @description Runs a check for each store and worker that the service depends on.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Mails a verification link. If the address already has an account, the mail says so instead. The link is valid for 24 hours. You can request a new one for seven days.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a new verification link
         * @description The new link replaces the previous one and is valid for 24 hours. You can request it for seven days after the sign-up or the latest link.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a verification link and sign in
         * @description Creates the account and its personal household, if the address is admitted.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with e-mail and password */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link
         * @description Mails the link, which is valid for an hour.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a mailed link
         * @description Ends every session of the user.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password
         * @description Ends every other session of the caller.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request another e-mail address
         * @description Mails a link to the new address, which is valid for 24 hours and works once, and a note to the present one. Another request, a changed or reset password, and the end of every present session make the link invalid.
         */
        post: operations["requestEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the new e-mail address with a mailed link
         * @description Sessions, tokens and memberships stay. The user signs in with the new address and gets its invites.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the caller and their households */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Delete the account for good
         * @description Deletes the account, its sessions, tokens and settings, and every household without another member. This cannot be undone. In other households the person stays in the history as “Former member”.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /** Change the name or the default household */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the current session.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sessions
         * @description The caller’s sessions, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends one of the caller’s sessions.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the personal access tokens
         * @description The caller’s tokens without their secrets, newest first.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a personal access token
         * @description Only this response contains the secret.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a personal access token
         * @description The next request with it is refused.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description The caller’s display preferences.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Changes only the fields that are sent.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/households": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the households
         * @description All households of the caller, including archived ones. The personal one comes first.
         */
        get: operations["listHouseholds"];
        put?: never;
        /**
         * Create a household
         * @description The caller becomes its owner.
         */
        post: operations["createHousehold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/households/{householdId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a household for good
         * @description Deletes its budget, history and invites everywhere. This cannot be undone. Its other members get a mail. A personal household goes with the account.
         */
        delete: operations["deleteHousehold"];
        options?: never;
        head?: never;
        /** Rename, archive or unarchive a household, or change its currency */
        patch: operations["changeHousehold"];
        trace?: never;
    };
    "/households/{householdId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description In the order in which they joined the household.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/households/{householdId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave
         * @description Also in an archived household. A second attempt to leave returns `not_a_member`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role
         * @description Also in an archived household.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s invites
         * @description Pending invites for the caller’s e-mail address, oldest first.
         */
        get: operations["listOwnInvites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an invite by its link
         * @description For the page that the link opens. No account is needed.
         */
        get: operations["lookUpInvite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/{inviteId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invite
         * @description The caller joins the household. It becomes their default household if the former one is personal and nothing was ever recorded in it.
         */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/{inviteId}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline an invite */
        post: operations["declineInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/households/{householdId}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a household’s invites
         * @description Pending invites with their links, oldest first.
         */
        get: operations["listHouseholdInvites"];
        put?: never;
        /**
         * Invite a person by e-mail
         * @description Any member may send invites. A new invite replaces a pending one for the same address.
         */
        post: operations["sendInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/households/{householdId}/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invite
         * @description A revoked invite cannot be accepted.
         */
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the months
         * @description All months of the household, oldest first.
         */
        get: operations["listMonths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a month
         * @description The budget of a month with all figures, current or as of a given time.
         */
        get: operations["getMonth"];
        put?: never;
        /**
         * Create a month
         * @description Copies groups, items, their order and planned amounts from the latest earlier month, but no notes or adjustments. If there is no earlier month, the default template is used.
         */
        post: operations["createMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a month
         * @description Sets every planned amount to zero, or creates the month’s layout again.
         */
        post: operations["resetMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a group to a month
         * @description Creates a group, or adds an existing one of the household. It comes last and has no items.
         */
        post: operations["addGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename or recolour a group
         * @description The change applies to every month.
         */
        patch: operations["changeGroup"];
        trace?: never;
    };
    "/months/{month}/groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a group from a month
         * @description Deletes its items from the month, too. Transactions of the month with a split on one of them become untracked. Other months keep the group.
         */
        delete: operations["removeGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/group-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Order a month’s groups
         * @description The income group always comes first.
         */
        put: operations["orderGroups"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{itemId}/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the months of an item
         * @description The figures of an item in every month that has it, oldest first.
         */
        get: operations["listItemMonths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/groups/{groupId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an item to a group in a month
         * @description Creates an item, or adds an existing one of the household, such as a deleted item or a fund from a later month. It comes last and has the kind of its group.
         */
        post: operations["addItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an item
         * @description Changes its name, favourite flag or fund target in every month, or turns a fund back into a regular item.
         */
        patch: operations["changeItem"];
        trace?: never;
    };
    "/months/{month}/items/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an item from a month
         * @description Transactions of the month with a split on it become untracked. Other months keep the item.
         */
        delete: operations["removeItem"];
        options?: never;
        head?: never;
        /**
         * Plan an item
         * @description Sets its planned amount and its note in this month.
         */
        patch: operations["planItem"];
        trace?: never;
    };
    "/months/{month}/groups/{groupId}/item-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Order a group’s items
         * @description The list may include items of other groups of the same kind, which then move to this group.
         */
        put: operations["orderItems"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/items/{itemId}/harvest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Harvest an item
         * @description Lowers the plan of a regular expense item to the amount spent. The rest is left to budget again.
         */
        post: operations["harvestItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/items/{itemId}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an item a fund
         * @description From this month on, the item carries its balance forward. In earlier months it stays a regular item.
         */
        post: operations["openFund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/items/{itemId}/fund-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a fund’s balance
         * @description Records the difference from the fund’s current ending balance as an adjustment, which does not count as spending. If there is no difference, nothing is recorded.
         */
        post: operations["setFundBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description The transactions of one view, by date and id, newest first. Adding or deleting transactions between two pages neither skips nor repeats the others.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Create a transaction
         * @description The client generates the id. Sending the same id and content again records nothing and returns `200`. A transaction without splits is untracked, and its budget month need not exist.
         */
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction
         * @description Returns deleted transactions, too.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        /**
         * Delete a transaction
         * @description A deleted transaction is kept and can be restored. Deleting it again changes nothing.
         */
        delete: operations["deleteTransaction"];
        options?: never;
        head?: never;
        /**
         * Change a transaction
         * @description Changes only the fields that are sent. `splits: []` makes it untracked; `location: null` removes the location.
         */
        patch: operations["changeTransaction"];
        trace?: never;
    };
    "/transactions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create, change, delete and restore many transactions
         * @description Carries out up to 500 operations in their order, each on what the earlier ones left, and records all of them as one command, or nothing. The activity has one entry for it, which is undone as a whole. A refusal names the first refused operation in `details.index`. Repeated creations are treated as in `POST /transactions`.
         */
        post: operations["changeTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted transaction
         * @description Drops splits whose item is no longer in the month. If none is left, the transaction is untracked.
         */
        post: operations["restoreTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the item that each merchant’s spending last went to
         * @description Takes the merchant’s transaction that last received splits, and the item of its largest split. Ignores the letter case of merchants, and omits items that are in no month.
         */
        get: operations["listMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activity
         * @description Who did what and when, newest first, with one entry for each command that recorded events.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a transaction’s history
         * @description Every command that changed the transaction, oldest first, even if it is deleted. The response is streamed.
         */
        get: operations["getTransactionHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/{eventId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a command
         * @description Reverses the whole command that recorded the event. Refused if a later command changed the same things and has not been undone. Undoing an undo redoes the command; undoing twice records nothing. Needs the scope of the command, `budget:write` or `transactions:write`.
         */
        post: operations["undoCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{itemId}/fund-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a fund’s history
         * @description Every change to the fund, computed from the events, oldest first. A balance carried forward has no entry of its own. The response is streamed.
         */
        get: operations["getFundHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the household
         * @description Exports the whole household as JSON, or its transactions as CSV. The response is streamed.
         */
        get: operations["exportHousehold"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an import
         * @description Reads a statement: CSV (also the registers that YNAB and Actual export, and the export of this service), OFX, QFX, QIF or CAMT.053. Records nothing. The content decides the format, unless parameters do. Send the operations of the rows that you want to a batch: their ids follow from the rows, so that importing a row again records nothing.
         */
        post: operations["previewImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what is left to budget
         * @description Every planned amount that it is computed from, with the event that set it.
         */
        get: operations["explainMonth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/months/{month}/items/{itemId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the figures of an item
         * @description Every figure with the transactions, events and months that it is computed from. They add up exactly.
         */
        get: operations["explainItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the changes
         * @description A stream of server-sent events, one for each command, with the stream revision as id. The first message and each heartbeat (every 15 s) have an id but no data: an `EventSource` remembers the id and dispatches no event. `Last-Event-ID` resumes without loss, and `-1` starts with the first event; without it, the stream begins now. It ends when the caller loses access, or when the client stops reading.
         */
        get: operations["followChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what changed since a revision
         * @description Each month and transaction that changed after `since`, at most once a page and as it is now. A page ends after `limit` transactions or 2,000 events. While `complete` is false, ask for the next page with `cursor`. Keep the `revision` of the complete page as the next `since`. Apply each page over the copies you hold: replace the months and transactions in it, and remove the months in `removed_months`. The `untracked_count` in a month is that of its page, and an item’s new name comes with the months that have it, not with its transactions.
         */
        get: operations["getSyncPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Liveness: {
            /**
             * @description Always `ok`
             * @example ok
             * @enum {string}
             */
            status: "ok";
        };
        ReadinessCheck: {
            /**
             * @description What the check covers
             * @example event store
             */
            name: string;
            /**
             * @description The result of the check
             * @example ok
             * @enum {string}
             */
            status: "ok" | "failing";
            /**
             * @description The problem, or a remark of a check that passes; else null
             * @example null
             */
            message: string | null;
            /**
             * Format: date-time
             * @description When the status last changed, to about a second
             * @example 2026-01-05T08:00:00.000Z
             */
            since: string;
        };
        ReadinessReport: {
            /**
             * @description `failing` if any check fails
             * @example ok
             * @enum {string}
             */
            status: "ok" | "failing";
            /** @description One check for each dependency */
            checks: components["schemas"]["ReadinessCheck"][];
        };
        SignUpBody: {
            /**
             * Format: email
             * @description The address for sign-in and mails
             * @example ada@example.org
             */
            email: string;
            /**
             * Format: password
             * @description To sign in with
             * @example a good long password
             */
            password: string;
            /**
             * @description The name shown to other members
             * @example Ada
             */
            name: string;
        };
        /** @description Empty: the same for every address, whether it is new, unverified or taken */
        Accepted: Record<string, never>;
        ResendVerificationBody: {
            /**
             * Format: email
             * @description The address that signed up; the link is mailed to it
             * @example ada@example.org
             */
            email: string;
        };
        VerifyEmailBody: {
            /**
             * @description The token of the mailed link. An invalid one returns `410 invalid_link`
             * @example xYz…
             */
            token: string;
            /**
             * @description `web` gets a cookie as well
             * @example web
             * @enum {string}
             */
            client: "web" | "mobile";
        };
        User: {
            /**
             * @description The user
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * Format: email
             * @description The address as given at sign-up; mails are sent to it
             * @example ada@example.org
             */
            email: string;
            /**
             * @description The name shown to other members
             * @example Ada
             */
            name: string;
        };
        /**
         * @description The role of a member in a household
         * @enum {string}
         */
        Role: "owner" | "member";
        /** @description The household for calls that do not name one */
        DefaultHousehold: {
            /**
             * @description The household
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Ada's household
             */
            name: string;
            /** @description The role of a member in a household */
            role: components["schemas"]["Role"];
        };
        /** @description A household of the caller */
        Household: {
            /**
             * @description The household
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Maple Street
             */
            name: string;
            /**
             * @description What its amounts are in, by the code of ISO 4217: the minor unit is that of this currency
             * @example EUR
             */
            currency: string;
            /** @description The role of a member in a household */
            role: components["schemas"]["Role"];
            /**
             * @description Whether it is the caller’s personal household
             * @example false
             */
            personal: boolean;
            /**
             * @description Whether it is used for calls that do not name a household
             * @example true
             */
            default: boolean;
            /**
             * @description Archived households can be read but not written
             * @example false
             */
            archived: boolean;
            /**
             * @description How many members it has
             * @example 2
             */
            member_count: number;
            /**
             * Format: date-time
             * @description When the caller joined
             * @example 2026-01-05T08:00:00.000Z
             */
            joined_at: string;
        };
        /** @description The caller, with every household they are a member of */
        Me: {
            /** @description The caller */
            user: components["schemas"]["User"];
            /** @description The default household */
            household: components["schemas"]["DefaultHousehold"];
            /**
             * @description The default household
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            default_household_id: string;
            /** @description The personal one first, then in the order of joining */
            households: components["schemas"]["Household"][];
        };
        /** @description A new session */
        SignedIn: {
            /**
             * @description The session’s bearer token, returned only here
             * @example hbs_…
             */
            token: string;
            /** @description The user who signed in */
            me: components["schemas"]["Me"];
        };
        SignInBody: {
            /**
             * Format: email
             * @description The address of the account, in any letter case and any spelling of the domain
             * @example ada@example.org
             */
            email: string;
            /**
             * Format: password
             * @description The password of the account
             * @example a good long password
             */
            password: string;
            /**
             * @description `web` gets a cookie as well
             * @example web
             * @enum {string}
             */
            client: "web" | "mobile";
        };
        RequestPasswordResetBody: {
            /**
             * Format: email
             * @description The address of the account; the link is mailed to it
             * @example ada@example.org
             */
            email: string;
        };
        ResetPasswordBody: {
            /**
             * @description The token of the mailed link. An invalid one returns `410 invalid_link`
             * @example xYz…
             */
            token: string;
            /**
             * Format: password
             * @description The new password
             * @example a good long password
             */
            password: string;
        };
        ChangePasswordBody: {
            /**
             * Format: password
             * @description The caller’s present password
             * @example a good long password
             */
            current_password: string;
            /**
             * Format: password
             * @description The new password
             * @example a good long password
             */
            new_password: string;
        };
        RequestEmailChangeBody: {
            /**
             * Format: email
             * @description The new address; the link is mailed to it
             * @example ada@example.org
             */
            email: string;
            /**
             * Format: password
             * @description The caller’s password
             * @example a good long password
             */
            password: string;
        };
        ConfirmEmailBody: {
            /**
             * @description The token of the mailed link. An invalid one returns `410 invalid_link`
             * @example xYz…
             */
            token: string;
        };
        ChangeMeBody: {
            /**
             * @description The name shown to other members
             * @example Ada
             */
            name?: string;
            /**
             * @description A household that the caller is a member of
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            default_household_id?: string;
        };
        DeleteMeBody: {
            /**
             * Format: password
             * @description The caller’s password
             * @example a good long password
             */
            password: string;
        };
        /** @description A session of a user */
        Session: {
            /**
             * @description The session
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description The `client` given at sign-in
             * @example web
             * @enum {string}
             */
            client: "web" | "mobile";
            /**
             * @description The `User-Agent` at sign-in
             * @example Mozilla/5.0
             */
            user_agent: string | null;
            /**
             * Format: date-time
             * @description When the user signed in
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute
             * @example 2026-01-05T08:00:00.000Z
             */
            last_used_at: string;
            /**
             * @description Whether it is the current session
             * @example true
             */
            current: boolean;
        };
        SessionList: {
            /** @description Newest first */
            sessions: components["schemas"]["Session"][];
        };
        CreateTokenBody: {
            /**
             * @description A name chosen by the user
             * @example Import script
             */
            name: string;
            /**
             * @description The scopes; if absent, all
             * @example [
             *       "budget:read",
             *       "budget:write"
             *     ]
             */
            scopes?: ("budget:read" | "budget:write" | "transactions:read" | "transactions:write" | "households:read" | "households:manage" | "account:read" | "account:write")[];
            /**
             * @description Days until it expires; if absent, it does not expire
             * @example 1
             */
            expires_in_days?: number;
        };
        PersonalAccessToken: {
            /**
             * @description The token; not its secret
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description The name chosen by the user
             * @example Import script
             */
            name: string;
            /**
             * @description The scopes that it has; a write scope includes its read scope
             * @example [
             *       "budget:read",
             *       "transactions:write"
             *     ]
             */
            scopes: ("budget:read" | "budget:write" | "transactions:read" | "transactions:write" | "households:read" | "households:manage" | "account:read" | "account:write")[];
            /**
             * Format: date-time
             * @description When it was created
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null before its first use
             * @example null
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it expires; null if it does not
             * @example null
             */
            expires_at: string | null;
            /**
             * @description The bearer token. Returned only on creation, otherwise null
             * @example hbp_…
             */
            secret: string | null;
        };
        PersonalAccessTokenList: {
            /** @description Newest first */
            tokens: components["schemas"]["PersonalAccessToken"][];
        };
        /** @description The user’s display preferences */
        Settings: {
            /**
             * @description Which figure of each item is shown
             * @example remaining
             * @enum {string}
             */
            column_view: "remaining" | "spent" | "planned";
            /**
             * @description Whether apps may record the location of transactions
             * @example false
             */
            location_opt_in: boolean;
            /**
             * @description Light or dark colours; `system` follows the device
             * @example system
             * @enum {string}
             */
            theme: "light" | "dark" | "system";
        };
        ChangeSettingsBody: {
            /**
             * @description Which figure of each item is shown
             * @example remaining
             * @enum {string}
             */
            column_view?: "remaining" | "spent" | "planned";
            /**
             * @description Whether apps may record the location of transactions
             * @example true
             */
            location_opt_in?: boolean;
            /**
             * @description Light or dark colours; `system` follows the device
             * @example light
             * @enum {string}
             */
            theme?: "light" | "dark" | "system";
        };
        HouseholdList: {
            /** @description The personal one first, then in the order of joining */
            households: components["schemas"]["Household"][];
        };
        CreateHouseholdBody: {
            /**
             * @description The name of the household
             * @example Maple Street
             */
            name: string;
            /**
             * @description What its amounts are in, by the code of ISO 4217; the operator’s `DEFAULT_CURRENCY` unless given
             * @example EUR
             */
            currency?: string;
        };
        ChangeHouseholdBody: {
            /**
             * @description The new name
             * @example Maple Street
             */
            name?: string;
            /**
             * @description The new currency, by its code of ISO 4217. Amounts keep their numbers: nothing is converted
             * @example EUR
             */
            currency?: string;
            /**
             * @description An archived household can be read but not written; members may still leave, owners remove members and change roles
             * @example true
             */
            archived?: boolean;
        };
        DeleteHouseholdBody: {
            /**
             * @description The name of the household, exactly as it is
             * @example Maple Street
             */
            name: string;
        };
        /** @description A user who is in a household */
        Member: {
            /**
             * @description The user
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            user_id: string;
            /**
             * @description The user’s present name
             * @example Ada
             */
            name: string;
            /**
             * Format: email
             * @description The user’s address
             * @example ada@example.org
             */
            email: string;
            /** @description The user’s role in the household */
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When the user joined
             * @example 2026-01-05T08:00:00.000Z
             */
            joined_at: string;
        };
        MemberList: {
            /** @description In the order in which they joined */
            members: components["schemas"]["Member"][];
        };
        ChangeMemberBody: {
            /**
             * @description The new role
             * @example owner
             * @enum {string}
             */
            role: "owner" | "member";
        };
        /**
         * @description The state of the invite
         * @enum {string}
         */
        InviteStatus: "pending" | "accepted" | "declined" | "revoked" | "replaced" | "expired";
        Invite: {
            /**
             * @description The invite
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description The household that it leads to
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            household_id: string;
            /**
             * @description That household’s present name
             * @example Maple Street
             */
            household_name: string;
            /**
             * Format: email
             * @description The address that is invited
             * @example ben@example.org
             */
            email: string;
            /**
             * @description The user who invites
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            inviter_id: string;
            /**
             * @description That user’s present name
             * @example Ada
             */
            inviter_name: string;
            /**
             * Format: date-time
             * @description When it was sent
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it expires
             * @example 2026-01-05T08:00:00.000Z
             */
            expires_at: string;
            /** @description The state of the invite */
            status: components["schemas"]["InviteStatus"];
            /**
             * @description The secret of the link
             * @example xYz…
             */
            token: string;
            /**
             * @description Where the link leads, below `APP_URL`
             * @example /invites/xYz…
             */
            path: string;
            /**
             * @description The present names of the household’s members
             * @example [
             *       "Ada"
             *     ]
             */
            member_names: string[];
        };
        InviteList: {
            /** @description Oldest first */
            invites: components["schemas"]["Invite"][];
        };
        /** @description An invite as shown to a person who may not have an account */
        LookedUpInvite: {
            /**
             * @description The invite, as accepting and declining name it
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            invite_id: string;
            /**
             * @description The present name of the household that it leads to
             * @example Maple Street
             */
            household_name: string;
            /**
             * @description The present name of the user who invites
             * @example Ada
             */
            inviter_name: string;
            /**
             * Format: email
             * @description The address that is invited
             * @example ben@example.org
             */
            email: string;
            /**
             * Format: date-time
             * @description When it expires
             * @example 2026-01-05T08:00:00.000Z
             */
            expires_at: string;
            /** @description The state of the invite */
            status: components["schemas"]["InviteStatus"];
        };
        SendInviteBody: {
            /**
             * Format: email
             * @description The address to invite
             * @example ben@example.org
             */
            email: string;
        };
        /** @description The sums over the income items */
        IncomeTotals: {
            /**
             * Format: int64
             * @description Σ planned
             * @example 500000
             */
            planned: number;
            /**
             * Format: int64
             * @description Σ received
             * @example 480000
             */
            received: number;
        };
        /** @description The sums over all groups but income */
        Center: {
            /**
             * Format: int64
             * @description Σ planned
             * @example 65000
             */
            planned: number;
            /**
             * Format: int64
             * @description Σ spent
             * @example 4000
             */
            spent: number;
            /**
             * Format: int64
             * @description Σ remaining
             * @example 81000
             */
            remaining: number;
        };
        /** @description A month in the list of months */
        MonthSummary: {
            /**
             * @description The month
             * @example 2026-01
             */
            month: string;
            /**
             * Format: int64
             * @description Planned income minus all other planned amounts, including funds
             * @example 435000
             */
            left_to_budget: number;
            income: components["schemas"]["IncomeTotals"];
            center: components["schemas"]["Center"];
            /**
             * @description The month that it was copied from; null if it was created from the template
             * @example 2025-12
             */
            copied_from: string | null;
            /**
             * Format: date-time
             * @description When the month was created
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
        };
        MonthList: {
            /** @description Oldest first */
            months: components["schemas"]["MonthSummary"][];
        };
        /** @description A correction of a fund’s balance, which does not count as spending */
        Adjustment: {
            /**
             * Format: int64
             * @description The change of the balance
             * @example 1500
             */
            amount: number;
            /**
             * Format: date-time
             * @description When it was made
             * @example 2026-01-05T08:00:00.000Z
             */
            at: string;
            /**
             * @description The user who made it
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            by: string;
        };
        /** @description The balance of a fund in a month */
        Fund: {
            /**
             * Format: int64
             * @description The balance carried forward into the month
             * @example 20000
             */
            carry_in: number;
            /** @description The adjustments of the month, oldest first */
            adjustments: components["schemas"]["Adjustment"][];
            /**
             * Format: int64
             * @description `carry_in` + `planned` + adjustments − `spent`
             * @example 23500
             */
            ending: number;
        };
        /** @description An item in a month. A fund is one from the month in which it opened */
        Item: {
            /**
             * @description Shared by every month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Groceries
             */
            name: string;
            /**
             * @description The kind of its group
             * @example expense
             * @enum {string}
             */
            kind: "income" | "expense";
            /**
             * @description Whether it carries its balance forward
             * @example false
             */
            is_fund: boolean;
            /**
             * @description Whether it is among the household’s favourites
             * @example true
             */
            favorite: boolean;
            /**
             * Format: int64
             * @description The target balance of a fund; null if none is set
             * @example 100000
             */
            fund_target: number | null;
            /**
             * @description The group that it is in, in this month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            group_id: string;
            /**
             * Format: int64
             * @description The planned amount for the month
             * @example 60000
             */
            planned: number;
            /**
             * Format: int64
             * @description Expenses minus refunds; 0 for an income item
             * @example 2500
             */
            spent: number;
            /**
             * Format: int64
             * @description Income received; 0 for an expense item
             * @example 0
             */
            received: number;
            /**
             * Format: int64
             * @description The remaining amount; for a fund, its ending balance
             * @example 57500
             */
            remaining: number;
            /**
             * @description A note on the item in this month
             * @example null
             */
            note: string | null;
            /**
             * @description Null for a regular item
             * @example null
             */
            fund: components["schemas"]["Fund"] | null;
        };
        /** @description Sums over the items of a group */
        Totals: {
            /**
             * Format: int64
             * @description Σ planned
             * @example 60000
             */
            planned: number;
            /**
             * Format: int64
             * @description Σ spent
             * @example 2500
             */
            spent: number;
            /**
             * Format: int64
             * @description Σ received
             * @example 0
             */
            received: number;
            /**
             * Format: int64
             * @description Σ remaining
             * @example 57500
             */
            remaining: number;
        };
        /** @description A group in a month */
        Group: {
            /**
             * @description Shared by every month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Food
             */
            name: string;
            /**
             * @description As `#rrggbb` in lower case
             * @example #2e7d32
             */
            color: string;
            /**
             * @description Whether its items are income
             * @example false
             */
            is_income: boolean;
            /** @description In their order */
            items: components["schemas"]["Item"][];
            totals: components["schemas"]["Totals"];
        };
        /** @description The budget of one month */
        Month: {
            /**
             * @description The month
             * @example 2026-01
             */
            month: string;
            /**
             * Format: int64
             * @description Planned income minus all other planned amounts, including funds
             * @example 435000
             */
            left_to_budget: number;
            /** @description Income first */
            groups: components["schemas"]["Group"][];
            /**
             * @description Favourite items that are in this month, in the order in which they were made favourites
             * @example [
             *       "01JZ8Q4T0V6W2X3Y4Z5A6B7C8D"
             *     ]
             */
            favorites: string[];
            center: components["schemas"]["Center"];
            /** @description Untracked transactions of the household, whatever their month */
            untracked_count: number;
            /**
             * @description The month that it was copied from; null if it was created from the template
             * @example 2025-12
             */
            copied_from: string | null;
            /**
             * Format: date-time
             * @description When the month was created
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
        };
        ResetMonthBody: {
            /**
             * @description `zero` sets every planned amount of the month to 0. `replace` untracks every transaction of the month and lays the month out again as creating it would.
             * @example zero
             * @enum {string}
             */
            mode: "zero" | "replace";
        };
        AddGroupBody: {
            /**
             * @description The name of a new group
             * @example Food
             */
            name?: string;
            /**
             * @description The colour of a new group; if absent, the next one of a fixed palette
             * @example #3f7cac
             */
            color?: string;
            /**
             * @description An existing group of the household, instead of a new one
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            group_id?: string;
        } & (unknown | unknown);
        ChangeGroupBody: {
            /**
             * @description Its name in every month
             * @example Food
             */
            name?: string;
            /**
             * @description Its colour in every month, as `#rrggbb`
             * @example #3f7cac
             */
            color?: string;
        };
        /** @description What a group is in every month */
        GroupIdentity: {
            /**
             * @description Shared by every month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Food
             */
            name: string;
            /**
             * @description As `#rrggbb` in lower case
             * @example #2e7d32
             */
            color: string;
            /**
             * @description Whether its items are income
             * @example false
             */
            is_income: boolean;
        };
        OrderGroupsBody: {
            /**
             * @description Exactly the month’s groups without the income group
             * @example [
             *       "01JZ8Q4T0V6W2X3Y4Z5A6B7C8D"
             *     ]
             */
            group_ids: string[];
        };
        /** @description The balance of a fund at the beginning and end of a month */
        FundBalance: {
            /**
             * Format: int64
             * @description The balance carried forward into the month
             * @example 20000
             */
            carry_in: number;
            /**
             * Format: int64
             * @description The balance at the end of the month
             * @example 23500
             */
            ending: number;
        };
        /** @description The figures of an item in one month */
        ItemMonth: {
            /**
             * @description The month
             * @example 2026-01
             */
            month: string;
            /**
             * @description The group that it is in, in this month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            group_id: string;
            /**
             * Format: int64
             * @description The planned amount for the month
             * @example 60000
             */
            planned: number;
            /**
             * Format: int64
             * @description Expenses minus refunds; 0 for an income item
             * @example 2500
             */
            spent: number;
            /**
             * Format: int64
             * @description Income received; 0 for an expense item
             * @example 0
             */
            received: number;
            /**
             * Format: int64
             * @description The remaining amount; for a fund, its ending balance
             * @example 57500
             */
            remaining: number;
            /**
             * @description Null where it is a regular item
             * @example null
             */
            fund: components["schemas"]["FundBalance"] | null;
        };
        ItemMonths: {
            /**
             * @description The item
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string;
            /**
             * @description Its name
             * @example Groceries
             */
            name: string;
            /** @description Every month that has the item, oldest first */
            months: components["schemas"]["ItemMonth"][];
        };
        AddItemBody: {
            /**
             * @description The name of a new item
             * @example Groceries
             */
            name?: string;
            /**
             * @description An existing item of the household, instead of a new one
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id?: string;
            /**
             * Format: int64
             * @description The planned amount for the month
             * @default 0
             * @example 60000
             */
            planned: number;
            /**
             * @description A note on the item in this month
             * @example Weekly shop
             */
            note?: string | null;
        } & (unknown | unknown);
        ChangeItemBody: {
            /**
             * @description Its name in every month
             * @example Groceries
             */
            name?: string;
            /**
             * @description A new favourite comes last
             * @example true
             */
            favorite?: boolean;
            /**
             * Format: int64
             * @description The target balance; allowed only for a fund
             * @example 100000
             */
            fund_target?: number | null;
            /**
             * @description Only `false`, which turns the fund back into a regular item. To open a fund, use `POST /months/{month}/items/{itemId}/fund`.
             * @example false
             * @enum {boolean}
             */
            is_fund?: false;
        };
        /** @description What an item is in every month */
        ItemIdentity: {
            /**
             * @description Shared by every month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Its name
             * @example Groceries
             */
            name: string;
            /**
             * @description The kind of its group
             * @example expense
             * @enum {string}
             */
            kind: "income" | "expense";
            /**
             * @description Whether it carries its balance forward
             * @example false
             */
            is_fund: boolean;
            /**
             * @description Whether it is among the household’s favourites
             * @example true
             */
            favorite: boolean;
            /**
             * Format: int64
             * @description The target balance of a fund; null if none is set
             * @example 100000
             */
            fund_target: number | null;
        };
        PlanItemBody: {
            /**
             * Format: int64
             * @description The planned amount for this month
             * @example 60000
             */
            planned?: number;
            /**
             * @description A note on the item in this month; null clears it
             * @example Weekly shop
             */
            note?: string | null;
        };
        OrderItemsBody: {
            /**
             * @description All of the group’s items, and any of another group of the same kind that move in
             * @example [
             *       "01JZ8Q4T0V6W2X3Y4Z5A6B7C8D"
             *     ]
             */
            item_ids: string[];
        };
        Harvest: {
            month: components["schemas"]["Month"];
            /**
             * Format: int64
             * @description The amount returned to `left_to_budget`
             * @example 57500
             */
            harvested: number;
            /**
             * Format: int64
             * @description The previous planned amount
             * @example 60000
             */
            previous_planned: number;
        };
        OpenFundBody: {
            /**
             * Format: int64
             * @description The balance that the fund carries into this month
             * @example 20000
             */
            current_balance: number;
        };
        UpdateFundBalanceBody: {
            /**
             * Format: int64
             * @description The actual balance of the fund in this month
             * @example 30000
             */
            current_balance: number;
        };
        /** @description The part of a transaction that counts for one item */
        Split: {
            /**
             * @description The item
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string;
            /**
             * Format: int64
             * @description Its part
             * @example 4500
             */
            amount: number;
            /**
             * @description The item’s present name
             * @example Groceries
             */
            item_name: string;
        };
        Location: {
            /**
             * @description Degrees north
             * @example 52.5163
             */
            lat: number;
            /**
             * @description Degrees east
             * @example 13.3777
             */
            lng: number;
            /**
             * @description Radius in metres
             * @example 12
             */
            accuracy_m: number;
        };
        /** @description Money spent or received, split across items */
        Transaction: {
            /**
             * @description The id generated by the client
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description A refund is an `income` on an expense item
             * @example expense
             * @enum {string}
             */
            type: "income" | "expense";
            /**
             * Format: int64
             * @description The whole amount
             * @example 4500
             */
            amount: number;
            /**
             * Format: date
             * @description The day of the transaction
             * @example 2026-01-15
             */
            date: string;
            /**
             * @description The payee of an expense, or the source of an income
             * @example Costco
             */
            merchant: string;
            /**
             * @description A note
             * @example null
             */
            note: string | null;
            /**
             * @description The month in whose budget it counts
             * @example 2026-01
             */
            budget_month: string;
            /** @description Empty if it is untracked */
            splits: components["schemas"]["Split"][];
            /**
             * @description `tracked` if it has splits, otherwise `untracked`; `deleted` if it is deleted
             * @example tracked
             * @enum {string}
             */
            status: "tracked" | "untracked" | "deleted";
            /**
             * Format: date-time
             * @description When it was deleted
             * @example null
             */
            deleted_at: string | null;
            /** @description Where it was made */
            location: components["schemas"]["Location"] | null;
            /**
             * @description The user who created it
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            created_by: string;
            /**
             * @description That user’s present name
             * @example Ada Lovelace
             */
            created_by_name: string;
            /**
             * @description The user who changed it last; null before the first change
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            updated_by: string | null;
            /**
             * @description That user’s present name
             * @example Ada Lovelace
             */
            updated_by_name: string | null;
            /**
             * Format: date-time
             * @description When it was created
             * @example 2026-01-05T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, or else created
             * @example 2026-01-05T08:00:00.000Z
             */
            updated_at: string;
        };
        TransactionList: {
            /** @description By date and id, newest first */
            transactions: components["schemas"]["Transaction"][];
            /** @description The cursor of the next page; null on the last page */
            next_cursor: string | null;
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        SplitBody: {
            /**
             * @description An item of the budget month
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string;
            /**
             * Format: int64
             * @description Its part of the amount
             * @example 4500
             */
            amount: number;
        };
        CreateTransactionBody: {
            /**
             * @description Generated by the client. The same id with the same content is recorded once
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description A refund is an `income` on an expense item
             * @example expense
             * @enum {string}
             */
            type: "expense" | "income";
            /**
             * Format: int64
             * @description The whole amount, in minor units
             * @example 4500
             */
            amount: number;
            /**
             * Format: date
             * @description The day of the transaction
             * @example 2026-01-15
             */
            date: string;
            /**
             * @description The payee of an expense, or the source of an income
             * @example Costco
             */
            merchant: string;
            /** @description Their amounts must add up to the amount. An empty list makes the transaction untracked; each `item_id` at most once */
            splits: components["schemas"]["SplitBody"][];
            /**
             * @description Null for no note
             * @example Weekly shop
             */
            note?: string | null;
            /**
             * @description The budget month; if absent, the month of the date
             * @example 2026-01
             */
            budget_month?: string;
            /** @description Where it was made */
            location?: components["schemas"]["Location"] | null;
        };
        /** @description A transaction after a write, and the months that changed */
        TransactionChange: {
            transaction: components["schemas"]["Transaction"];
            /** @description Every month with a figure that the call changed, oldest first */
            months: components["schemas"]["Month"][];
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        CreateOperation: {
            /**
             * @description Generated by the client. The same id with the same content is recorded once
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description A refund is an `income` on an expense item
             * @example expense
             * @enum {string}
             */
            type: "expense" | "income";
            /**
             * Format: int64
             * @description The whole amount, in minor units
             * @example 4500
             */
            amount: number;
            /**
             * Format: date
             * @description The day of the transaction
             * @example 2026-01-15
             */
            date: string;
            /**
             * @description The payee of an expense, or the source of an income
             * @example Costco
             */
            merchant: string;
            /** @description Their amounts must add up to the amount. An empty list makes the transaction untracked; each `item_id` at most once */
            splits: components["schemas"]["SplitBody"][];
            /**
             * @description Null for no note
             * @example Weekly shop
             */
            note?: string | null;
            /**
             * @description The budget month; if absent, the month of the date
             * @example 2026-01
             */
            budget_month?: string;
            /** @description Where it was made */
            location?: components["schemas"]["Location"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "create";
        };
        ChangeOperation: {
            /**
             * @description Changing it reverses the effect of the splits
             * @example expense
             * @enum {string}
             */
            type?: "expense" | "income";
            /**
             * Format: int64
             * @description If there is one split, its amount follows. If there are several, send `splits` as well
             * @example 4500
             */
            amount?: number;
            /**
             * Format: date
             * @description Does not change the budget month
             * @example 2026-01-15
             */
            date?: string;
            /**
             * @description The payee of an expense, or the source of an income
             * @example Costco
             */
            merchant?: string;
            /**
             * @description Null clears it
             * @example Weekly shop
             */
            note?: string | null;
            /**
             * @description Keeps the splits if all their items are in that month
             * @example 2026-01
             */
            budget_month?: string;
            /** @description An empty list makes the transaction untracked; each `item_id` at most once */
            splits?: components["schemas"]["SplitBody"][];
            /** @description Null removes it */
            location?: components["schemas"]["Location"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "change";
            /**
             * @description The transaction
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
        };
        DeleteOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "delete";
            /**
             * @description The transaction
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
        };
        RestoreOperation: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "restore";
            /**
             * @description The transaction
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
        };
        BatchBody: {
            /** @description Carried out in this order */
            operations: (components["schemas"]["CreateOperation"] | components["schemas"]["ChangeOperation"] | components["schemas"]["DeleteOperation"] | components["schemas"]["RestoreOperation"])[];
            /**
             * @description Skip creations of transactions that exist, whatever their content, instead of refusing the batch
             * @default false
             * @example true
             */
            skip_known: boolean;
        };
        /** @description Transactions after a batch, and the months that changed */
        Batch: {
            /** @description Every transaction that the operations name, once, in the order of first mention */
            transactions: components["schemas"]["Transaction"][];
            /**
             * @description Transactions to be created that existed before; they were not created again
             * @example []
             */
            replayed: string[];
            /** @description Every month with a figure that differs before and after the batch, oldest first */
            months: components["schemas"]["Month"][];
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        ChangeTransactionBody: {
            /**
             * @description Changing it reverses the effect of the splits
             * @example expense
             * @enum {string}
             */
            type?: "expense" | "income";
            /**
             * Format: int64
             * @description If there is one split, its amount follows. If there are several, send `splits` as well
             * @example 4500
             */
            amount?: number;
            /**
             * Format: date
             * @description Does not change the budget month
             * @example 2026-01-15
             */
            date?: string;
            /**
             * @description The payee of an expense, or the source of an income
             * @example Costco
             */
            merchant?: string;
            /**
             * @description Null clears it
             * @example Weekly shop
             */
            note?: string | null;
            /**
             * @description Keeps the splits if all their items are in that month
             * @example 2026-01
             */
            budget_month?: string;
            /** @description An empty list makes the transaction untracked; each `item_id` at most once */
            splits?: components["schemas"]["SplitBody"][];
            /** @description Null removes it */
            location?: components["schemas"]["Location"] | null;
        };
        MerchantMap: {
            /**
             * @description For each merchant, spelt as last used, the id of the item that its spending last went to
             * @example {
             *       "Costco": "01JZ8Q4T0V6W2X3Y4Z5A6B7C8D"
             *     }
             */
            merchants: {
                [key: string]: string;
            };
        };
        /** @description One command in the activity */
        ActivityEntry: {
            /**
             * @description The first event of the command
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            event_id: string;
            /**
             * @description That event’s place in the household’s stream
             * @example 17
             */
            revision: number;
            /**
             * Format: date-time
             * @description When it was recorded
             * @example 2026-01-05T08:00:00.000Z
             */
            at: string;
            /**
             * @description The user who did it
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            by: string;
            /**
             * @description That user’s present name
             * @example Ada Lovelace
             */
            by_name: string;
            /**
             * @description The name of that event
             * @example ItemPlanned
             */
            type: string;
            /**
             * @description One sentence for a person, with present names
             * @example Ada Lovelace planned 600.00 for Groceries in 2026-01 instead of 0.00.
             */
            summary: string;
            /**
             * @description Every month with a figure that the command changed, oldest first
             * @example [
             *       "2026-01"
             *     ]
             */
            months: string[];
            /**
             * @description The transaction that it concerns; null if none
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            transaction_id: string | null;
        };
        ActivityList: {
            /** @description Newest first */
            activity: components["schemas"]["ActivityEntry"][];
            /** @description The cursor of the next page; null on the last page */
            next_cursor: string | null;
        };
        TransactionHistory: {
            /** @description Oldest first */
            history: components["schemas"]["ActivityEntry"][];
        };
        /** @description The result of an undo */
        Undone: {
            /**
             * @description The event that undid the command, now or earlier
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            event_id: string;
            /** @description Every month with a changed figure, oldest first */
            months: components["schemas"]["Month"][];
            /** @description The transaction that the command concerns; null if none */
            transaction: components["schemas"]["Transaction"] | null;
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        /** @description A change of a fund’s ending in a month */
        FundEntry: {
            /**
             * Format: date-time
             * @description When it was recorded
             * @example 2026-01-05T08:00:00.000Z
             */
            at: string;
            /**
             * @description The user who did it
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            by: string;
            /**
             * @description That user’s present name
             * @example Ada Lovelace
             */
            by_name: string;
            /**
             * @description The month concerned
             * @example 2026-01
             */
            month: string;
            /**
             * @description `opened`: became a fund; `laid_out`: added to a month; `removed`: deleted from a month; `closed`: no longer a fund
             * @example spent
             * @enum {string}
             */
            kind: "opened" | "laid_out" | "planned" | "adjusted" | "spent" | "removed" | "closed";
            /**
             * Format: int64
             * @description Signed change of the ending in that month
             * @example -1500
             */
            amount: number;
            /**
             * Format: int64
             * @description The ending balance after the entry
             * @example 23500
             */
            balance: number;
            /**
             * @description The event
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            event_id: string;
            /**
             * @description The event’s place in the household’s stream
             * @example 17
             */
            revision: number;
        };
        FundHistory: {
            /**
             * @description The item
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string;
            /**
             * @description Its name, as of `as_of` if given
             * @example Car
             */
            name: string;
            /** @description Oldest first */
            entries: components["schemas"]["FundEntry"][];
        };
        /** @description The last event of a household. Its hash reveals a changed history */
        StreamHead: {
            /**
             * @description -1 if there are no events
             * @example 17
             */
            revision: number;
            /**
             * @description SHA-256 in hexadecimal
             * @example null
             */
            hash: string | null;
        };
        /** @description A whole household */
        Export: {
            /**
             * @description The household
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            household_id: string;
            /**
             * @description What the amounts are in, by the code of ISO 4217
             * @example EUR
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the export was created
             * @example 2026-01-05T08:00:00.000Z
             */
            exported_at: string;
            /** @description The last event included in the export */
            head: components["schemas"]["StreamHead"];
            /** @description Every group of the household, past and present */
            groups: components["schemas"]["GroupIdentity"][];
            /** @description Every item of the household, past and present */
            items: components["schemas"]["ItemIdentity"][];
            /** @description Oldest first */
            months: components["schemas"]["Month"][];
            /** @description By id, including deleted ones */
            transactions: components["schemas"]["Transaction"][];
        };
        /** @description Which columns were read */
        ImportMapping: {
            /**
             * @description Name or number of the column
             * @example Date
             */
            date: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            amount: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            debit: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            credit: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            merchant: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            note: string | null;
            /**
             * @description Name or number of the column
             * @example Date
             */
            category: string | null;
        };
        /** @description How a CSV file is written */
        ImportCsv: {
            /**
             * @description What separates cells
             * @example semicolon
             * @enum {string}
             */
            delimiter: "comma" | "semicolon" | "tab";
            /**
             * @description The encoding, by its name in the WHATWG Encoding Standard
             * @example utf-8
             */
            encoding: string;
            /**
             * @description Whether there is a header
             * @example true
             */
            header: boolean;
            /**
             * @description Lines before the header
             * @example 0
             */
            skip: number;
            /**
             * @description Their names, or numbers if the file has no header
             * @example [
             *       "Date",
             *       "Payee",
             *       "Amount"
             *     ]
             */
            columns: string[];
            /** @description Which columns were read, and as what */
            mapping: components["schemas"]["ImportMapping"];
        };
        /** @description Rows by their state */
        ImportCounts: {
            /**
             * @description Rows that were never recorded
             * @example 1
             */
            new: number;
            /**
             * @description Rows that are recorded
             * @example 0
             */
            known: number;
            /**
             * @description Rows that were recorded and deleted
             * @example 0
             */
            deleted: number;
            /**
             * @description Rows that cannot be recorded
             * @example 0
             */
            invalid: number;
        };
        /** @description A suggested split */
        ImportSplit: {
            /**
             * @description The item
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string;
            /**
             * Format: int64
             * @description The whole amount, or its part of a split entry
             * @example 4500
             */
            amount: number;
        };
        /** @description Records the row, as an operation of a batch */
        ImportOperation: {
            /**
             * @description What it does
             * @example create
             * @enum {string}
             */
            op: "create";
            /**
             * @description Derived from the row, so that importing it again records nothing
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            id: string;
            /**
             * @description Negative amounts are expenses
             * @example expense
             * @enum {string}
             */
            type: "income" | "expense";
            /**
             * Format: int64
             * @description The whole amount
             * @example 4500
             */
            amount: number;
            /**
             * Format: date
             * @description The day
             * @example 2026-01-15
             */
            date: string;
            /**
             * @description The payee or the source; the note, or `Unknown`, if the file has none
             * @example Costco
             */
            merchant: string;
            /**
             * @description What else the file says
             * @example null
             */
            note: string | null;
            /** @description Suggested: the item that the category names in the month, or the merchant’s last one. Empty for none */
            splits: components["schemas"]["ImportSplit"][];
            /**
             * @description The month in whose budget it counts
             * @example 2026-01
             */
            budget_month: string;
        };
        /** @description An entry of the file */
        ImportRow: {
            /**
             * @description Its line in a CSV file, else its number; from 1
             * @example 2
             */
            row: number;
            /**
             * @description `known`: recorded before. `deleted`: recorded and deleted since. `invalid`: see `problem`
             * @example new
             * @enum {string}
             */
            state: "new" | "known" | "deleted" | "invalid";
            /**
             * @description Why it cannot be recorded
             * @example null
             */
            problem: string | null;
            /** @description Records it; null for an invalid row */
            operation: components["schemas"]["ImportOperation"] | null;
            /**
             * @description As in the file
             * @example Food: Groceries
             */
            category: string | null;
            /**
             * @description Up to three transactions entered by hand with the same type and amount, at most three days apart: probably the same
             * @example [
             *       "01JZ8Q4T0V6W2X3Y4Z5A6B7C8D"
             *     ]
             */
            similar: string[];
        };
        /** @description What importing a file would record */
        ImportPreview: {
            /**
             * @description What the file is
             * @example csv
             * @enum {string}
             */
            format: "csv" | "ofx" | "qif" | "camt053";
            /**
             * @description The account, as ids are derived from it
             * @example default
             */
            source: string;
            /**
             * @description The order of dates in the whole file; null for OFX and CAMT
             * @example DMY
             * @enum {string|null}
             */
            date_format: "YMD" | "DMY" | "MDY" | null;
            /**
             * @description What stands before decimals in the whole file; null for OFX and CAMT
             * @example comma
             * @enum {string|null}
             */
            decimal: "point" | "comma" | null;
            /**
             * @description What the file leaves open, so that a person should confirm it
             * @example []
             */
            ambiguous: ("date_format" | "decimal")[];
            /** @description Null for other formats */
            csv: components["schemas"]["ImportCsv"] | null;
            /** @description How many rows have each state */
            counts: components["schemas"]["ImportCounts"];
            /** @description Every entry, in the order of the file */
            rows: components["schemas"]["ImportRow"][];
        };
        /** @description Where an amount comes from */
        FigureSource: {
            /**
             * @description What `id` names
             * @example transaction
             * @enum {string}
             */
            kind: "transaction" | "event" | "month";
            /**
             * @description The id of the transaction or the event, or the month
             * @example 2026-01
             */
            id: string;
            /**
             * Format: int64
             * @description Signed
             * @example -1500
             */
            amount: number;
            /**
             * Format: date-time
             * @description When it was recorded; null for a month
             * @example null
             */
            at: string | null;
            /**
             * @description A label for people: the merchant, the item or the kind of event
             * @example Costco
             */
            label: string;
        };
        /** @description A part of a figure: the sum of its sources */
        FigureTerm: {
            /**
             * @description Its name
             * @example expenses
             */
            term: string;
            /**
             * Format: int64
             * @description Signed
             * @example -1500
             */
            amount: number;
            /** @description They add up to the amount */
            sources: components["schemas"]["FigureSource"][];
        };
        /** @description A figure: the sum of its terms */
        ExplainedFigure: {
            /**
             * @description Its name
             * @example remaining
             */
            figure: string;
            /**
             * Format: int64
             * @description As the month shows it
             * @example 57500
             */
            value: number;
            /** @description They add up to the value */
            terms: components["schemas"]["FigureTerm"][];
        };
        /** @description How figures are computed */
        Explanation: {
            /**
             * @description The month
             * @example 2026-01
             */
            month: string;
            /**
             * @description The item; null for the month itself
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            item_id: string | null;
            /** @description The figures of the item or the month */
            figures: components["schemas"]["ExplainedFigure"][];
        };
        /** @description What one command changed */
        Change: {
            /**
             * @description Months that show something else than before, oldest first: figures, layout, notes, or what they say of a group or an item. Where nothing but their `untracked_count` changed, this message has it
             * @example [
             *       "2026-01"
             *     ]
             */
            months: string[];
            /** @description Ids of transactions that it touched */
            transactions: string[];
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        /** @description One message of the stream */
        ChangeMessage: {
            /**
             * @description The stream revision up to which the client has been sent everything; `-1` before the first event
             * @example 17
             */
            id: string;
            /** @description As JSON on one line; absent in the first message and in heartbeats, which only give the id */
            data?: components["schemas"]["Change"];
        };
        /** @description What changed, as it is now */
        SyncPage: {
            /**
             * @description The next `since`: the revision up to which the client now has everything; null until then
             * @example 17
             */
            revision: number | null;
            /**
             * @description Whether this is the last page
             * @example true
             */
            complete: boolean;
            /**
             * @description The cursor of the next page; null on the last page
             * @example null
             */
            cursor: string | null;
            /** @description Months that changed, oldest first */
            months: components["schemas"]["Month"][];
            /**
             * @description Months that no longer exist, oldest first: their creation was undone
             * @example []
             */
            removed_months: string[];
            /** @description Transactions that changed, deleted ones included */
            transactions: components["schemas"]["Transaction"][];
            /**
             * @description Untracked transactions of the household
             * @example 0
             */
            untracked_count: number;
        };
        /**
         * @description The error, for programs
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_cursor" | "malformed_request" | "unauthenticated" | "invalid_credentials" | "email_not_verified" | "session_required" | "insufficient_scope" | "not_a_member" | "not_invited" | "owner_required" | "not_found" | "method_not_allowed" | "request_timeout" | "month_exists" | "transaction_id_conflict" | "transaction_deleted" | "already_a_fund" | "already_a_member" | "last_owner" | "personal_household" | "invite_not_pending" | "undo_blocked" | "already_in_month" | "idempotency_key_conflict" | "conflict" | "invalid_link" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "import_unreadable" | "item_not_in_month" | "splits_total_mismatch" | "not_harvestable" | "figure_out_of_range" | "month_full" | "batch_too_large" | "not_a_fund" | "income_item" | "income_group" | "kind_mismatch" | "order_mismatch" | "household_full" | "rate_limited" | "too_many_attempts" | "headers_too_large" | "internal" | "unavailable";
        ErrorBody: {
            /** @description The error, for programs */
            code: components["schemas"]["ErrorCode"];
            /**
             * @description A sentence for a person
             * @example There is no such month here.
             */
            message: string;
            /**
             * @description More about the error, depending on its code
             * @example {}
             */
            details: {
                [key: string]: unknown;
            };
            /**
             * @description Equals the `X-Request-Id` header
             * @example 01JZ8Q4T0V6W2X3Y4Z5A6B7C8D
             */
            request_id: string;
        };
    };
    responses: {
        /** @description `invalid_json`: The body is not JSON in UTF-8. */
        InvalidJsonWithoutLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `payload_too_large`: The body is larger than 1 MiB, or than 8 MiB for a batch or a file. */
        PayloadTooLargeWithoutLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `unsupported_media_type`: The body is not `application/json` in UTF-8, or a file of no type that the operation takes. */
        UnsupportedMediaTypeWithoutLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedUnknownWithoutLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `internal`: The service failed; quote the `request_id` when you report it. */
        InternalWithoutLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `invalid_json`: The body is not JSON in UTF-8. */
        InvalidJson: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `payload_too_large`: The body is larger than 1 MiB, or than 8 MiB for a batch or a file. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `unsupported_media_type`: The body is not `application/json` in UTF-8, or a file of no type that the operation takes. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        SignUp422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `rate_limited`: The token has exceeded its rate limit; retry after `Retry-After` seconds. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `internal`: The service failed; quote the `request_id` when you report it. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `unavailable`: A store is down, or too many requests wait; retry after `Retry-After` seconds. The command was recorded completely or not at all. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ResendVerification422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_invited`: The address is verified but not invited. */
        NotInvited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `invalid_link`: The link is malformed, expired or already used. */
        InvalidLink: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        VerifyEmail422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `invalid_credentials`: The e-mail address or the password is wrong. */
        InvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `email_not_verified`: The password is right, but the address has not been verified yet.
         *
         *     `not_invited`: The address is verified but not invited.
         */
        EmailNotVerifiedOrNotInvited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        SignIn422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `rate_limited`: The token has exceeded its rate limit; retry after `Retry-After` seconds.
         *
         *     `too_many_attempts`: There were too many failed sign-ins; retry after `Retry-After` seconds.
         */
        RateLimitedOrTooManyAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        RequestPasswordReset422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ResetPassword422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `unauthenticated`: The credential is missing, wrong, expired or revoked, or is a cookie on a cross-origin call.
         *
         *     `invalid_credentials`: The e-mail address or the password is wrong.
         */
        UnauthenticatedOrInvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `session_required`: A personal access token was used where only a session may act. */
        SessionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ChangePassword422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        RequestEmailChange422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ConfirmEmail422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `unauthenticated`: The credential is missing, wrong, expired or revoked, or is a cookie on a cross-origin call. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`. */
        InsufficientScopeAccountRead: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedUnknown: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeAccountWriteOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        IdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `last_owner`: The last owner cannot leave, be removed or be demoted. On deletion of an account, `details.household_ids` lists the households whose other members would have no owner. */
        LastOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        DeleteMe422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundSession: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedSessionId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`). */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        CreateToken422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundToken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedTokenId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`. */
        InsufficientScopeAccountWrite: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`. */
        InsufficientScopeHouseholdsRead: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeHouseholdsManageOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        CreateHousehold422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         *
         *     `owner_required`: The caller is a member, and only an owner may do this.
         */
        InsufficientScopeHouseholdsManageOrNotAMemberOrOwnerRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `personal_household`: A personal household can neither be archived nor left; it is deleted with the account.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        PersonalHouseholdOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedHouseholdId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `session_required`: A personal access token was used where only a session may act.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         *
         *     `owner_required`: The caller is a member, and only an owner may do this.
         */
        SessionRequiredOrNotAMemberOrOwnerRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `personal_household`: A personal household can neither be archived nor left; it is deleted with the account. */
        PersonalHousehold: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        DeleteHousehold422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeHouseholdsReadOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `last_owner`: The last owner cannot leave, be removed or be demoted. On deletion of an account, `details.household_ids` lists the households whose other members would have no owner.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        LastOwnerOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ChangeMember422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `last_owner`: The last owner cannot leave, be removed or be demoted. On deletion of an account, `details.household_ids` lists the households whose other members would have no owner.
         *
         *     `personal_household`: A personal household can neither be archived nor left; it is deleted with the account.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        RemoveMember409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedUserId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`. */
        InsufficientScopeHouseholdsManage: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundInvite: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `already_a_member`: The invited person is a member already.
         *
         *     `invite_not_pending`: The invite was accepted, declined, revoked or replaced, or has expired.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        AcceptInvite409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedInviteId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `invite_not_pending`: The invite was accepted, declined, revoked or replaced, or has expired.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        InviteNotPendingOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `already_a_member`: The invited person is a member already.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        AlreadyAMemberOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        SendInvite422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeBudgetReadOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundMonth: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedMonth: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeBudgetWriteOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `month_exists`: The month was created before.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        MonthExistsOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `precondition_failed`: The `If-Match` header is stale. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `household_full`: The household has reached a limit; see `details.limit` and `details.max`.
         */
        ValidationFailedMonthOrFigureOutOfRangeOrHouseholdFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `household_full`: The household has reached a limit; see `details.limit` and `details.max`.
         */
        ResetMonth422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `already_in_month`: The group or item is in this month already.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        AlreadyInMonthOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         *
         *     `household_full`: The household has reached a limit; see `details.limit` and `details.max`.
         */
        AddGroup422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundGroup: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         */
        ValidationFailedGroupIdOrFigureOutOfRange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `income_group`: The income group cannot be deleted or reordered.
         */
        ValidationFailedGroupIdOrFigureOutOfRangeOrIncomeGroup: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `income_group`: The income group cannot be deleted or reordered.
         *
         *     `order_mismatch`: The list must contain exactly the things to order; see `details.missing` and `details.unexpected`.
         */
        OrderGroups422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundItem: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedItemId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         *
         *     `kind_mismatch`: An item cannot move between income and expense groups.
         *
         *     `household_full`: The household has reached a limit; see `details.limit` and `details.max`.
         */
        AddItem422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `not_a_fund`: The item is not a fund.
         */
        ValidationFailedItemIdOrFigureOutOfRangeOrNotAFund: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         */
        ValidationFailedItemIdOrFigureOutOfRangeOrMonthFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         */
        ValidationFailedItemIdOrFigureOutOfRange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `item_not_in_month`: An item in the body is not in the month; see `details.item_id` and `details.month`.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `kind_mismatch`: An item cannot move between income and expense groups.
         *
         *     `order_mismatch`: The list must contain exactly the things to order; see `details.missing` and `details.unexpected`.
         */
        OrderItems422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `not_harvestable`: The item cannot be harvested; `details.reason` is `income`, `fund` or `nothing_remaining`.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         */
        ValidationFailedItemIdOrNotHarvestableOrFigureOutOfRange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `already_a_fund`: The item is a fund already.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        AlreadyAFundOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `income_item`: An income item cannot be a fund.
         */
        OpenFund422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         *
         *     `not_a_fund`: The item is not a fund.
         */
        SetFundBalance422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `invalid_json`: The body is not JSON in UTF-8.
         *
         *     `invalid_cursor`: The cursor is malformed, was tampered with, or belongs to other filters or another household.
         */
        InvalidJsonOrInvalidCursor: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeTransactionsReadOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `insufficient_scope`: The token lacks the scope named in `details.required_scope`.
         *
         *     `not_a_member`: The caller is not a current member of the household, or it does not exist.
         */
        InsufficientScopeTransactionsWriteOrNotAMember: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `transaction_id_conflict`: A transaction with this id but other content was created before.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        TransactionIdConflictOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `item_not_in_month`: An item in the body is not in the month; see `details.item_id` and `details.month`.
         *
         *     `splits_total_mismatch`: The splits do not add up to the amount; see `details.amount` and `details.splits_total`.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         */
        CreateTransaction422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `not_found`: Something that the request names does not exist; `details.resource` is its kind. */
        NotFoundTransaction: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each. */
        ValidationFailedTransactionId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `transaction_deleted`: The transaction is deleted and can only be restored.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        TransactionDeletedOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `item_not_in_month`: An item in the body is not in the month; see `details.item_id` and `details.month`.
         *
         *     `splits_total_mismatch`: The splits do not add up to the amount; see `details.amount` and `details.splits_total`.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         */
        ChangeTransaction422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         */
        ValidationFailedTransactionIdOrFigureOutOfRange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `transaction_id_conflict`: A transaction with this id but other content was created before.
         *
         *     `transaction_deleted`: The transaction is deleted and can only be restored.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        ChangeTransactions409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `item_not_in_month`: An item in the body is not in the month; see `details.item_id` and `details.month`.
         *
         *     `splits_total_mismatch`: The splits do not add up to the amount; see `details.amount` and `details.splits_total`.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         *
         *     `batch_too_large`: The operations do not fit into one record; `details.operations_max` of them, the first ones, do. Of an undo: the transactions of a batch have become too long since.
         */
        ChangeTransactions422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         */
        ValidationFailedTransactionIdOrFigureOutOfRangeOrMonthFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `undo_blocked`: A later command changed the same things; `details.by_event_id` is its event.
         *
         *     `idempotency_key_conflict`: The same `Idempotency-Key` was sent with another command within 24 hours.
         *
         *     `conflict`: A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or `limit_reached` (with `details.limit`).
         */
        UndoBlockedOrIdempotencyKeyConflictOrConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         *
         *     `month_full`: The month has reached a limit; see `details.limit` and `details.max`.
         *
         *     `batch_too_large`: The operations do not fit into one record; `details.operations_max` of them, the first ones, do. Of an undo: the transactions of a batch have become too long since.
         *
         *     `household_full`: The household has reached a limit; see `details.limit` and `details.max`.
         */
        UndoCommand422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `not_a_fund`: The item is not a fund.
         */
        ValidationFailedItemIdOrNotAFund: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `import_unreadable`: The file cannot be imported; `details.reason` is `unknown_format`, `no_rows`, `no_date_column`, `no_amount_column` or `too_many_rows`, and `details.columns` names its columns, if it has any.
         */
        ValidationFailedUnknownOrImportUnreadable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /**
         * @description `validation_failed`: Fields of the body, the path, the query or a header are not valid; `details.fields` names each.
         *
         *     `figure_out_of_range`: A figure would leave the range of exact integers, ±(2^53 − 1).
         */
        ValidationFailedMonthOrFigureOutOfRange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
        IdempotencyKey: string;
        /** @description The id of the household, as in `GET /households` */
        HouseholdId: string;
        /** @description The user id of the member, as in the list of members */
        UserId: string;
        /** @description The id of the invite, as in the lists of invites */
        InviteId: string;
        /** @description The household to act on. Without it, the caller’s default household. */
        Household: string;
        /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
        Month: string;
        /** @description The `ETag` of an earlier response. If nothing has changed since, the response is `304`. */
        IfNoneMatch: string;
        /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
        IfMatch: string;
        /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
        DryRun: boolean;
        /** @description The id of the group, as in its months */
        GroupId: string;
        /** @description The id of the item, as in its months */
        ItemId: string;
        /** @description The `next_cursor` of the previous page; absent for the first page */
        Cursor: string;
        /** @description The transaction; its id is generated by the client */
        TransactionId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the log: the caller’s own, or a new one */
        "X-Request-Id": string;
        /** @description `Bearer` */
        "WWW-Authenticate": string;
        /** @description Seconds to wait before the next attempt */
        "Retry-After": number;
        /** @description `true` if `dry_run` was: nothing was recorded */
        "Dry-Run": string;
        /** @description For personal access tokens: calls allowed per minute */
        "X-RateLimit-Limit": number;
        /** @description For personal access tokens: calls left */
        "X-RateLimit-Remaining": number;
        /** @description For personal access tokens: seconds until all calls are available again */
        "X-RateLimit-Reset": number;
        /** @description The session cookie, if `client` is `web` and the call is not cross-origin */
        "Set-Cookie": string;
        /** @description `true` if an earlier request recorded the command */
        "Idempotent-Replay": string;
        /** @description `"R-H"`: the revision at which the content last changed, and a hash of the whole response */
        ETag: string;
    };
    pathItems: never;
}
export interface operations {
    checkLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["InvalidJsonWithoutLimit"];
            413: components["responses"]["PayloadTooLargeWithoutLimit"];
            415: components["responses"]["UnsupportedMediaTypeWithoutLimit"];
            422: components["responses"]["ValidationFailedUnknownWithoutLimit"];
            500: components["responses"]["InternalWithoutLimit"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every check passes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessReport"];
                };
            };
            400: components["responses"]["InvalidJsonWithoutLimit"];
            413: components["responses"]["PayloadTooLargeWithoutLimit"];
            415: components["responses"]["UnsupportedMediaTypeWithoutLimit"];
            422: components["responses"]["ValidationFailedUnknownWithoutLimit"];
            500: components["responses"]["InternalWithoutLimit"];
            /** @description At least one check fails; the report names it */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessReport"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpBody"];
            };
        };
        responses: {
            /** @description Accepted; the response is the same for every address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidJson"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SignUp422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendVerificationBody"];
            };
        };
        responses: {
            /** @description Accepted; the response is the same for every address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidJson"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ResendVerification422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmailBody"];
            };
        };
        responses: {
            /** @description The session’s token and the user */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["NotInvited"];
            410: components["responses"]["InvalidLink"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["VerifyEmail422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description The session’s token and the user */
            200: {
                headers: {
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["EmailNotVerifiedOrNotInvited"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SignIn422"];
            429: components["responses"]["RateLimitedOrTooManyAttempts"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetBody"];
            };
        };
        responses: {
            /** @description Accepted; the response is the same for every address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidJson"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RequestPasswordReset422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description The password has changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            410: components["responses"]["InvalidLink"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ResetPassword422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description The password has changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["UnauthenticatedOrInvalidCredentials"];
            403: components["responses"]["SessionRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChangePassword422"];
            429: components["responses"]["RateLimitedOrTooManyAttempts"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestEmailChangeBody"];
            };
        };
        responses: {
            /** @description Accepted; the response is the same for every address */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["UnauthenticatedOrInvalidCredentials"];
            403: components["responses"]["SessionRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["RequestEmailChange422"];
            429: components["responses"]["RateLimitedOrTooManyAttempts"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmailBody"];
            };
        };
        responses: {
            /** @description The address has changed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            410: components["responses"]["InvalidLink"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConfirmEmail422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller and their households */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeAccountRead"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteMeBody"];
            };
        };
        responses: {
            /** @description The account is gone */
            204: {
                headers: {
                    /** @description Deletes the session cookie of the account, if one was sent */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["UnauthenticatedOrInvalidCredentials"];
            403: components["responses"]["SessionRequired"];
            409: components["responses"]["LastOwner"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["DeleteMe422"];
            429: components["responses"]["RateLimitedOrTooManyAttempts"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMeBody"];
            };
        };
        responses: {
            /** @description The caller after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeAccountWriteOrNotAMember"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    /** @description Deletes the session cookie, if one was sent */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session, as in `GET /auth/sessions` */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            404: components["responses"]["NotFoundSession"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedSessionId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalAccessTokenList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenBody"];
            };
        };
        responses: {
            /** @description The token with its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalAccessToken"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateToken422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token, as in `GET /tokens`; not its secret */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequired"];
            404: components["responses"]["NotFoundToken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedTokenId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeAccountRead"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsBody"];
            };
        };
        responses: {
            /** @description All settings after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeAccountWrite"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHouseholds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The households */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HouseholdList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsRead"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createHousehold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHouseholdBody"];
            };
        };
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Household"];
                };
            };
            /** @description The new household */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Household"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMember"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateHousehold422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteHousehold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Maple Street"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteHouseholdBody"];
            };
        };
        responses: {
            /** @description The household is gone */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["SessionRequiredOrNotAMemberOrOwnerRequired"];
            409: components["responses"]["PersonalHousehold"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["DeleteHousehold422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeHousehold: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Maple Street"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeHouseholdBody"];
            };
        };
        responses: {
            /** @description The household after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Household"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMemberOrOwnerRequired"];
            409: components["responses"]["PersonalHouseholdOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedHouseholdId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedHouseholdId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
                /** @description The user id of the member, as in the list of members */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member has been removed */
            204: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMemberOrOwnerRequired"];
            404: components["responses"]["NotFoundMember"];
            409: components["responses"]["RemoveMember409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUserId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
                /** @description The user id of the member, as in the list of members */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description The member with the new role */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMemberOrOwnerRequired"];
            404: components["responses"]["NotFoundMember"];
            409: components["responses"]["LastOwnerOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChangeMember422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnInvites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending invites */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsRead"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUpInvite: {
        parameters: {
            query: {
                /** @description The token of the mailed link. An invalid one returns `410 invalid_link` */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invite */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookedUpInvite"];
                };
            };
            400: components["responses"]["InvalidJson"];
            410: components["responses"]["InvalidLink"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the invite, as in the lists of invites */
                inviteId: components["parameters"]["InviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The household that the caller joined */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Household"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManage"];
            404: components["responses"]["NotFoundInvite"];
            409: components["responses"]["AcceptInvite409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedInviteId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the invite, as in the lists of invites */
                inviteId: components["parameters"]["InviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invite is declined */
            204: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManage"];
            404: components["responses"]["NotFoundInvite"];
            409: components["responses"]["InviteNotPendingOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedInviteId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHouseholdInvites: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending invites */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedHouseholdId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendInviteBody"];
            };
        };
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            /** @description The new invite */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMember"];
            409: components["responses"]["AlreadyAMemberOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SendInvite422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the household, as in `GET /households` */
                householdId: components["parameters"]["HouseholdId"];
                /** @description The id of the invite, as in the lists of invites */
                inviteId: components["parameters"]["InviteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invite is revoked */
            204: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeHouseholdsManageOrNotAMember"];
            404: components["responses"]["NotFoundInvite"];
            409: components["responses"]["InviteNotPendingOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedInviteId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMonths: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The months */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonthList"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMonth: {
        parameters: {
            query?: {
                /** @description Returns the month as of this moment, including names: a time with `Z` or an offset, or a date, which stands for its last instant in UTC */
                as_of?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier response. If nothing has changed since, the response is `304`. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            /** @description Unchanged since the `ETag` in `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedMonth"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createMonth: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            /** @description The new month */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            409: components["responses"]["MonthExistsOrIdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedMonthOrFigureOutOfRangeOrHouseholdFull"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetMonth: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetMonthBody"];
            };
        };
        responses: {
            /** @description The month after the reset */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ResetMonth422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    addGroup: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Pets",
                 *       "color": "#3f7cac"
                 *     }
                 */
                "application/json": components["schemas"]["AddGroupBody"];
            };
        };
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            /** @description The month with the group */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            409: components["responses"]["AlreadyInMonthOrIdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["AddGroup422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeGroup: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the group, as in its months */
                groupId: components["parameters"]["GroupId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeGroupBody"];
            };
        };
        responses: {
            /** @description The group after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupIdentity"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundGroup"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedGroupIdOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeGroup: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the group, as in its months */
                groupId: components["parameters"]["GroupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month without the group */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundGroup"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedGroupIdOrFigureOutOfRangeOrIncomeGroup"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    orderGroups: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderGroupsBody"];
            };
        };
        responses: {
            /** @description The month in the new order */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OrderGroups422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listItemMonths: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item and its months */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemMonths"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    addItem: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the group, as in its months */
                groupId: components["parameters"]["GroupId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Vet",
                 *       "planned": 6000,
                 *       "note": null
                 *     }
                 */
                "application/json": components["schemas"]["AddItemBody"];
            };
        };
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            /** @description The month with the item */
            201: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundGroup"];
            409: components["responses"]["AlreadyInMonthOrIdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["AddItem422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeItem: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Groceries",
                 *       "favorite": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeItemBody"];
            };
        };
        responses: {
            /** @description The item after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemIdentity"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrFigureOutOfRangeOrNotAFund"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeItem: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month without the item */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    planItem: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanItemBody"];
            };
        };
        responses: {
            /** @description The month with the new plan */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrFigureOutOfRangeOrMonthFull"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    orderItems: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the group, as in its months */
                groupId: components["parameters"]["GroupId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderItemsBody"];
            };
        };
        responses: {
            /** @description The month in the new order */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundGroup"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OrderItems422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    harvestItem: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month after the harvest, and the harvested amount */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Harvest"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrNotHarvestableOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    openFund: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenFundBody"];
            };
        };
        responses: {
            /** @description The month with the fund */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["AlreadyAFundOrIdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["OpenFund422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setFundBalance: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFundBalanceBody"];
            };
        };
        responses: {
            /** @description The month with the new balance */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Month"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SetFundBalance422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query: {
                /** @description `all` lists tracked and untracked transactions */
                view: "untracked" | "tracked" | "deleted" | "all";
                /** @description Only transactions of this budget month; applies to `tracked` only */
                month?: string;
                /** @description Only transactions with a split on this item; applies to `tracked` only */
                item_id?: string;
                /** @description Part of the merchant in any letter case, or an amount such as `12.50`, with at most the decimals of the currency */
                q?: string;
                /** @description Only transactions of this date or later */
                from?: string;
                /** @description Only transactions of this date or earlier */
                to?: string;
                /** @description Only transactions with these ids: 1 to 100, separated by commas */
                ids?: string;
                /** @description The `next_cursor` of the previous page; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                limit?: number;
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionList"];
                };
            };
            400: components["responses"]["InvalidJsonOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTransaction: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTransactionBody"];
            };
        };
        responses: {
            /** @description The current state; an earlier request created it */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChange"];
                };
            };
            /** @description The new transaction */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChange"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsWriteOrNotAMember"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TransactionIdConflictOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["CreateTransaction422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an earlier response. If nothing has changed since, the response is `304`. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The transaction; its id is generated by the client */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /** @description Unchanged since the `ETag` in `If-None-Match` */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsReadOrNotAMember"];
            404: components["responses"]["NotFoundTransaction"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedTransactionId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTransaction: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The transaction; its id is generated by the client */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted transaction */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChange"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsWriteOrNotAMember"];
            404: components["responses"]["NotFoundTransaction"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedTransactionIdOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeTransaction: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The transaction; its id is generated by the client */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTransactionBody"];
            };
        };
        responses: {
            /** @description The transaction after the change */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChange"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsWriteOrNotAMember"];
            404: components["responses"]["NotFoundTransaction"];
            409: components["responses"]["TransactionDeletedOrIdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChangeTransaction422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeTransactions: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description The transactions after the batch */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsWriteOrNotAMember"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangeTransactions409"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ChangeTransactions422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreTransaction: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The `ETag` of the response on which the write is based, or `*`. Only its revision is compared, so changed names and counts do not matter, nor does a `W/` that a proxy put before it. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The transaction; its id is generated by the client */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The restored transaction */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChange"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsWriteOrNotAMember"];
            404: components["responses"]["NotFoundTransaction"];
            409: components["responses"]["IdempotencyKeyConflictOrConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedTransactionIdOrFigureOutOfRangeOrMonthFull"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMerchants: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchants with their items */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantMap"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page; absent for the first page */
                cursor?: components["parameters"]["Cursor"];
                limit?: number;
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the activity */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
            400: components["responses"]["InvalidJsonOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransactionHistory: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The transaction; its id is generated by the client */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionHistory"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsReadOrNotAMember"];
            404: components["responses"]["NotFoundTransaction"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedTransactionId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    undoCommand: {
        parameters: {
            query?: {
                /** @description If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not kept, and `Dry-Run: true`. Nothing is recorded or sent to listeners, and its key stays unused. */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
                /** @description Makes the write safe to repeat for 24 hours. A user’s second request with the same key, in the same household, records nothing and returns the current state with `Idempotent-Replay: true`. A request that was refused leaves the key unused. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of an event, as in `GET /activity`, or its UUID in the event store. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event that undid the command, and what changed */
            200: {
                headers: {
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Dry-Run": components["headers"]["Dry-Run"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Undone"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetWriteOrNotAMember"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["UndoBlockedOrIdempotencyKeyConflictOrConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UndoCommand422"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFundHistory: {
        parameters: {
            query?: {
                /** @description Only entries at or after this moment: a time with `Z` or an offset, or a date, which stands for its first instant in UTC */
                from?: string;
                /** @description Only entries at or before this moment: a time with `Z` or an offset, or a date, which stands for its last instant in UTC */
                to?: string;
                /** @description Returns the history as of this moment, including names: a time with `Z` or an offset, or a date, which stands for its last instant in UTC */
                as_of?: string;
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundHistory"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrNotAFund"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportHousehold: {
        parameters: {
            query?: {
                /** @description `csv` exports only the transactions, one row a split. Cells that a spreadsheet would take for a formula begin with an apostrophe. */
                format?: "json" | "csv";
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The household */
            200: {
                headers: {
                    /** @description The file name: `household-ID.json` or `transactions-ID.csv` */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewImport: {
        parameters: {
            query?: {
                /** @description The account, in any letter case. Equal entries of different accounts have different ids */
                source?: string;
                /** @description The format of the file */
                format?: "csv" | "ofx" | "qif" | "camt053";
                /** @description CSV and QIF: the order of the numbers of a date */
                date_format?: "YMD" | "DMY" | "MDY";
                /** @description CSV and QIF: what stands before decimals */
                decimal?: "point" | "comma";
                /** @description CSV: what separates cells */
                delimiter?: "comma" | "semicolon" | "tab";
                /** @description CSV: lines before the header */
                skip?: number;
                /** @description CSV: whether there is a header */
                header?: boolean;
                /** @description CSV: positive amounts are expenses */
                flip?: boolean;
                /** @description CSV: the column with dates, by its name or its number from 1 */
                date?: string;
                /** @description CSV: the column with amounts, by its name or its number from 1 */
                amount?: string;
                /** @description CSV: the column with expenses, by its name or its number from 1 */
                debit?: string;
                /** @description CSV: the column with income, by its name or its number from 1 */
                credit?: string;
                /** @description CSV: the column with merchants, by its name or its number from 1 */
                merchant?: string;
                /** @description CSV: the column with notes, by its name or its number from 1 */
                note?: string;
                /** @description CSV: the column with categories, by its name or its number from 1 */
                category?: string;
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file as it is: at most 8 MiB and 20,000 rows */
        requestBody: {
            content: {
                "text/csv": string;
                "text/plain": string;
                "application/x-ofx": string;
                "application/vnd.intu.qfx": string;
                "application/qif": string;
                "application/xml": string;
                "text/xml": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The rows of the file, and what would record them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeTransactionsReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknownOrImportUnreadable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainMonth: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The amount left to budget, explained */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            404: components["responses"]["NotFoundMonth"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedMonthOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path: {
                /** @description The month, as `YYYY-MM`; `GET /months` lists the existing ones */
                month: components["parameters"]["Month"];
                /** @description The id of the item, as in its months */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures of the item, explained */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            404: components["responses"]["NotFoundItem"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedItemIdOrFigureOutOfRange"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    followChanges: {
        parameters: {
            query?: {
                /** @description The household, for clients that cannot send headers */
                household?: string;
            };
            header?: {
                "Last-Event-ID"?: string;
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream of changes */
            200: {
                headers: {
                    /** @description `no-cache, no-transform`: caches must not keep it, and proxies must not compress it */
                    "Cache-Control"?: string;
                    /** @description `no`: a proxy must not buffer the stream */
                    "X-Accel-Buffering"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ChangeMessage"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSyncPage: {
        parameters: {
            query?: {
                /** @description The `revision` of the last complete page; `-1` or absent for everything */
                since?: number;
                /** @description The `cursor` of the previous page; absent for the first page */
                cursor?: string;
                /** @description The most transactions of one page */
                limit?: number;
            };
            header?: {
                /** @description The household to act on. Without it, the caller’s default household. */
                "X-Service-Household"?: components["parameters"]["Household"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncPage"];
                };
            };
            400: components["responses"]["InvalidJsonOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeBudgetReadOrNotAMember"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailedUnknown"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
