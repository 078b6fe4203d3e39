"""The first call of a process, with nothing imported: what a notebook's first cell and each shell command wait for."""
