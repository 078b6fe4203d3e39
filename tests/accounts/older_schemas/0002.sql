CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE account (
    id INTEGER NOT NULL,
    email VARCHAR(254) NOT NULL,
    verified BOOLEAN NOT NULL,
    made DATETIME NOT NULL,
    "plan" VARCHAR(16) NOT NULL,
    since DATE NOT NULL,
    paid_since DATE,
    unlimited BOOLEAN NOT NULL,
    next_plan VARCHAR(16),
    next_plan_from DATETIME, admin BOOLEAN DEFAULT false NOT NULL, disabled DATETIME, deleted DATETIME,
    PRIMARY KEY (id),
    UNIQUE (email)
);
CREATE TABLE api_key (
    id VARCHAR(10) NOT NULL,
    account_id INTEGER NOT NULL,
    name VARCHAR(100),
    digest BLOB NOT NULL,
    made DATETIME NOT NULL,
    last_used DATETIME,
    revoked DATETIME,
    PRIMARY KEY (id),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_api_key_account_id ON api_key (account_id);
CREATE TABLE period (
    account_id INTEGER NOT NULL,
    start DATETIME NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (account_id, start),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE TABLE secret (
    name VARCHAR(32) NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE call (
    id VARCHAR(32) NOT NULL,
    account_id INTEGER NOT NULL,
    key_id VARCHAR(10),
    tool VARCHAR(40) NOT NULL,
    status INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    request_id VARCHAR(64) NOT NULL,
    created DATETIME NOT NULL,
    period_start DATETIME NOT NULL,
    charged BOOLEAN NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_call_account_id_created ON call (account_id, created);
CREATE INDEX ix_call_account_id_period_start ON call (account_id, period_start);
CREATE TABLE server (
    id VARCHAR(32) NOT NULL,
    heartbeat DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE lease (
    server_id VARCHAR(32) NOT NULL,
    account_id INTEGER NOT NULL,
    period_start DATETIME NOT NULL,
    credits INTEGER NOT NULL,
    expires DATETIME NOT NULL,
    PRIMARY KEY (server_id, account_id, period_start),
    FOREIGN KEY(server_id) REFERENCES server (id),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_lease_account_id_period_start ON lease (account_id, period_start);
CREATE TABLE web_session (
    id VARCHAR(16) NOT NULL,
    account_id INTEGER NOT NULL,
    digest BLOB NOT NULL,
    created DATETIME NOT NULL,
    last_seen DATETIME NOT NULL,
    expires DATETIME NOT NULL,
    user_agent VARCHAR(200) NOT NULL,
    network VARCHAR(50) NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_web_session_expires ON web_session (expires);
CREATE INDEX ix_web_session_account_id ON web_session (account_id);
CREATE TABLE sign_in_link (
    digest BLOB NOT NULL,
    email VARCHAR(254) NOT NULL,
    expires DATETIME NOT NULL,
    PRIMARY KEY (digest)
);
CREATE INDEX ix_sign_in_link_expires ON sign_in_link (expires);
CREATE INDEX ix_sign_in_link_email ON sign_in_link (email);
CREATE TABLE sign_in_count (
    subject VARCHAR(64) NOT NULL,
    starts DATETIME NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (subject, starts)
);
CREATE TABLE outbox (
    id VARCHAR(32) NOT NULL,
    kind VARCHAR(32) NOT NULL,
    recipient VARCHAR(254) NOT NULL,
    content JSON NOT NULL,
    created DATETIME NOT NULL,
    next_attempt DATETIME NOT NULL,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_outbox_next_attempt ON outbox (next_attempt);
CREATE TABLE idempotent_call (
    account_id INTEGER NOT NULL,
    key_digest BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    call_id VARCHAR(32) NOT NULL,
    expires DATETIME NOT NULL,
    status INTEGER,
    headers TEXT,
    body BLOB,
    PRIMARY KEY (account_id, key_digest),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_idempotent_call_expires ON idempotent_call (expires);
INSERT INTO alembic_version VALUES ('0002');
