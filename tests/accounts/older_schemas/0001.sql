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
    next_plan_from DATETIME,
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
CREATE TABLE hold (
    id VARCHAR(32) NOT NULL,
    account_id INTEGER NOT NULL,
    period_start DATETIME NOT NULL,
    expires DATETIME NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(account_id) REFERENCES account (id)
);
CREATE INDEX ix_hold_account_id_expires ON hold (account_id, expires);
CREATE TABLE charge (
    id VARCHAR(32) NOT NULL,
    account_id INTEGER NOT NULL,
    key_id VARCHAR(10) NOT NULL,
    period_start DATETIME NOT NULL,
    made DATETIME NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(account_id) REFERENCES account (id),
    FOREIGN KEY(key_id) REFERENCES api_key (id)
);
CREATE INDEX ix_charge_account_id_period_start ON charge (account_id, period_start);
CREATE TABLE secret (
    name VARCHAR(32) NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (name)
);
INSERT INTO alembic_version VALUES ('0001');
